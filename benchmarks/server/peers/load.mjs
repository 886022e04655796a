// Plays at many two-player tables of a server and measures: moves a second, and the time from a move to the other
// player's socket. Usage: node load.mjs KIND URL TABLES SECONDS RATE
// RATE 0: every table moves again as soon as it can. Otherwise about so many moves a second over all tables.
const [kind, url, tablesText, secondsText, rateText] = process.argv.slice(2);
const tables = Number(tablesText);
const seconds = Number(secondsText);
const rate = Number(rateText);
const AT_ONCE = 25;

const latencies = [];
let moves = 0;
let refusals = 0;
let measuring = false;

/** One table: a move is sent, and is over when the other player has it. */
class Match {
  sentAt = 0;
  sender = -1;

  /** Let the player move, now or after a pause that keeps the pace. */
  move(seat, send) {
    const go = () => {
      this.sender = seat;
      this.sentAt = performance.now();
      send();
    };
    if (rate === 0) go();
    else setTimeout(go, (2 * Math.random() * 1000 * tables) / rate);
  }

  /** The player has news; if it is the other's move, the move is over. */
  heard(seat) {
    if (this.sender === -1 || this.sender === seat) return;
    this.sender = -1;
    if (measuring) {
      moves += 1;
      latencies.push(performance.now() - this.sentAt);
    }
  }
}

const post = async (path, body, token) => {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body ?? {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** What to do, out of the view: nothing unless it is one's turn. */
const byView = ({ legal }) => (legal === null ? null : legal.actions.includes("check") ? "check" : "call");

/** The same out of the events: where all check or call, only the small blind has something to call. */
function byEvents(events, seat) {
  const last = events.findLast((event) => "to_act" in event || event.type === "acted" || event.type === "hand_ended");
  if (last?.to_act !== seat) return null;
  return last.type === "hand_started" ? "call" : "check";
}

/** Hold'em by the real rules: everybody checks or calls, hand after hand. */
async function holdem(views) {
  const { default: WebSocket } = await import("ws");
  const people = [];
  return async (index) => {
    // A person hosts few tables, so every tenth table has new people.
    if (index % 10 === 0) {
      people[index] = [
        await post("/api/v1/identities", { name: `Ann ${index}` }),
        await post("/api/v1/identities", { name: `Ben ${index}` }),
      ];
    }
    const pair = people[index - (index % 10)] ?? (await waitFor(() => people[index - (index % 10)]));
    const settings = {
      seats: 2, small_blind: 1, big_blind: 2, min_buy_in: 2, max_buy_in: 1_000_000_000, buy_in: 1_000_000_000,
      action_seconds: 0, hand_delay: 0, private: true,
    };
    const { code } = await post("/api/v1/tables", { game: "holdem", settings }, pair[0].token);
    const match = new Match();
    await Promise.all(
      pair.map(
        (person, seat) =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/tables/${code}/socket?view=${Number(views)}`, {
              headers: { Authorization: `Bearer ${person.token}` },
              perMessageDeflate: false,
            });
            let counter = 0;
            socket.on("error", reject);
            socket.on("message", (data) => {
              const frame = JSON.parse(data);
              if (frame.type === "welcome") {
                socket.send(JSON.stringify({ type: "sit", id: `s${seat}`, seat }));
                resolve();
              } else if (frame.type === "events") {
                if (frame.events.some((event) => event.type === "acted" && event.seat !== seat)) match.heard(seat);
                const type = views ? byView(frame.patch) : byEvents(frame.events, seat);
                if (type !== null) {
                  match.move(seat, () => {
                    counter += 1;
                    socket.send(`{"type":"action","id":"${seat}-${counter}","action":{"type":"${type}"}}`);
                  });
                }
              } else if (frame.type === "error") {
                refusals += 1;
                if (refusals < 5) console.error(JSON.stringify(frame));
              }
            });
          }),
      ),
    );
    return async () => {
      await waitFor(async () => {
        const answer = await fetch(`${url}/api/v1/tables/${code}`, { headers: { Authorization: `Bearer ${pair[0].token}` } });
        const view = await answer.json();
        return view.seats.every((seat) => seat.player) || view.status === "playing";
      });
      await post(`/api/v1/tables/${code}/start`, {}, pair[0].token).catch((error) => {
        if (!String(error).includes("422") && !String(error).includes("409")) throw error;
      });
    };
  };
}

const drivers = {
  parlour: () => holdem(true),

  /** As a bot plays that keeps its own picture of the table: it is sent the events alone. */
  events: () => holdem(false),

  async boardgame() {
    const { io } = await import("socket.io-client");
    return async (index) => {
      const id = `m${index}`; // a match that nobody knows is made when the first player asks for it
      const match = new Match();
      const starters = await Promise.all(
        [0, 1].map(
          (seat) =>
            new Promise((resolve) => {
              const socket = io(`${url}/betting`, { transports: ["websocket"], forceNew: true, reconnection: false });
              let synced = false;
              const react = (state) => {
                if (Number(state.ctx.currentPlayer) !== seat) return;
                match.move(seat, () => {
                  const payload = { type: "act", args: ["call", 0], playerID: String(seat), credentials: null };
                  const action = { type: "MAKE_MOVE", payload };
                  socket.emit("update", action, state._stateID, id, String(seat));
                });
              };
              socket.on("connect", () => socket.emit("sync", id, String(seat), null, 2));
              socket.on("sync", (_, { state }) => {
                if (synced) return;
                synced = true;
                resolve(() => react(state));
              });
              socket.on("update", (_, state) => {
                match.heard(seat);
                react(state);
              });
            }),
        ),
      );
      return async () => starters.forEach((start) => start());
    };
  },

  async colyseus() {
    const { Client } = await import("@colyseus/sdk");
    return async () => {
      const client = new Client(url.replace("http", "ws"));
      const match = new Match();
      const host = await client.create("betting");
      const guest = await client.joinById(host.roomId);
      const send = (room, seat) => match.move(seat, () => room.send("act", { type: "call", amount: 0 }));
      [host, guest].forEach((room, seat) => {
        room.onMessage("refused", () => (refusals += 1));
        room.onMessage("acted", (news) => {
          if (news.seat === seat) return;
          match.heard(seat);
          send(room, seat);
        });
      });
      return async () => send(host, 0);
    };
  },
};

async function waitFor(condition) {
  for (;;) {
    const found = await condition();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Do something for every table, some at a time. */
async function each(items, work) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

const open = await drivers[kind]();
const starters = await each(Array.from({ length: tables }, (_, i) => i), (index) => open(index));
await each(starters, (start) => start());
await new Promise((resolve) => setTimeout(resolve, 1000)); // warm up
console.log("measuring");
const cpu = process.cpuUsage();
measuring = true;
const began = performance.now();
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
measuring = false;
const took = (performance.now() - began) / 1000;
const used = process.cpuUsage(cpu);
latencies.sort((a, b) => a - b);
const at = (fraction) => latencies[Math.min(latencies.length - 1, Math.floor(fraction * latencies.length))] ?? null;
console.log(
  JSON.stringify({
    moves, seconds: took, refusals, p50: at(0.5), p99: at(0.99), max: at(1),
    load: (used.user + used.system) / 1e6 / took,
  }),
);
process.exit(0);
