// How two players play with each contestant: how they join a table, what a message tells them, and how they say a move.
//
// What a message tells is found in two ways. `glance` looks among the bytes for what a player must know, as cheaply as
// can be; `read` takes the whole message to pieces, as a client would. The load holds one against the other, so that a
// protocol that has changed ends the run instead of spoiling it.
//
// `join` takes the number of the table and `play`, which makes a player of a seat and of what says a move; it comes back
// with what starts the game. The messages are those of the contestant's own client, byte for byte.
import { BINARY, Link } from "./wire.mjs";

/** What a message tells a player: that the other has moved, and what to answer (null where it is not one's turn). */
const told = (moved, answer) => ({ moved, answer, refused: false });
const NOTHING = told(false, null);
const REFUSED = { ...NOTHING, refused: true };

const byte = (character) => character.charCodeAt(0);

async function post(url, body = {}, headers = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Hold'em by the real rules: everybody checks or calls, hand after hand. */
class Parlour {
  #people = [];
  #others = [1, 0].map((seat) => Buffer.from(`"type":"acted","seat":${seat},`));
  #legal = Buffer.from('"legal":');
  #check = Buffer.from('"check"');
  view = 1;

  constructor(url) {
    this.url = `${url}/api/v1`;
  }

  async join(index, play) {
    // A person hosts few tables, so every tenth table has new people.
    const people = (this.#people[Math.floor(index / 10)] ??= Promise.all(
      ["Ann", "Ben"].map((name) => post(`${this.url}/identities`, { name: `${name} ${index}` })),
    ));
    const authorized = (await people).map(({ token }) => ({ Authorization: `Bearer ${token}` }));
    const settings = {
      seats: 2, small_blind: 1, big_blind: 2, min_buy_in: 2, max_buy_in: 1_000_000_000, buy_in: 1_000_000_000,
      action_seconds: 0, hand_delay: 0, private: true,
    };
    const { code } = await post(`${this.url}/tables`, { game: "holdem", settings }, authorized[0]);
    const table = `${this.url}/tables/${code}`;
    await Promise.all(
      authorized.map(async (headers, seat) => {
        const link = await Link.open(`${table.replace("http", "ws")}/socket?view=${this.view}`, headers);
        await link.until('{"type":"welcome"');
        link.send(`{"type":"sit","id":"s${seat}","seat":${seat}}`);
        await link.until('{"type":"ack"');
        let count = 0;
        const say = (type) => link.send(`{"type":"action","id":"${seat}-${++count}","action":{"type":"${type}"}}`);
        link.listen(play(seat, say).hear);
      }),
    );
    return () => post(`${table}/start`, {}, authorized[0]);
  }

  glance(message, seat) {
    if (message[9] !== byte("e")) return NOTHING;
    if (message[10] !== byte("v")) return REFUSED; // "error", not "events"
    return told(message.includes(this.#others[seat]), this.glanceForTurn(message, seat));
  }

  read(message, seat) {
    const { type, events, patch } = JSON.parse(message);
    if (type === "error") return REFUSED;
    if (type !== "events") return NOTHING;
    const moved = events.some((event) => event.type === "acted" && event.seat !== seat);
    return told(moved, this.readTurn(events, patch, seat));
  }

  glanceForTurn(message) {
    const at = message.lastIndexOf(this.#legal) + this.#legal.length;
    if (message[at] === byte("n")) return null;
    return message.includes(this.#check, at) ? "check" : "call";
  }

  readTurn(events, { legal }) {
    return legal === null ? null : legal.actions.includes("check") ? "check" : "call";
  }
}

/** As a bot plays that keeps its own picture of the table: it is sent the events alone. */
class Events extends Parlour {
  #toAct = Buffer.from('"to_act":');
  #type = Buffer.from('"type":"');
  view = 0;

  glanceForTurn(message, seat) {
    const at = message.lastIndexOf(this.#toAct);
    if (at === -1 || message[at + this.#toAct.length] !== byte("0") + seat) return null;
    const type = message.lastIndexOf(this.#type, at) + this.#type.length;
    return message[type] === byte("h") ? "call" : "check";
  }

  /** Where all check or call, only the small blind has something to call, when the hand has started. */
  readTurn(events, patch, seat) {
    const last = events.findLast((event) => "to_act" in event || event.type === "acted" || event.type === "hand_ended");
    if (last?.to_act !== seat) return null;
    return last.type === "hand_started" ? "call" : "check";
  }
}

/** boardgame.io speaks Socket.IO: texts such as 42/betting,["update",…]. A refused move it answers with nothing. */
class Boardgame {
  #current = Buffer.from('"currentPlayer":"');
  #state = Buffer.from('"_stateID":');

  constructor(url) {
    this.url = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  }

  async join(index, play) {
    const match = `m${index}`; // a match that nobody knows is made when the first player asks for it
    const enter = async (seat) => {
      const link = await Link.open(this.url);
      await link.until('0{"sid"');
      link.send("40/betting,");
      await link.until('40/betting,{"sid"');
      link.send(`42/betting,["sync","${match}","${seat}",null,2]`);
      const synced = await link.until('42/betting,["sync"');
      const payload = `{"type":"act","args":["call",0],"playerID":"${seat}","credentials":null}`;
      const begun = `42/betting,["update",{"type":"MAKE_MOVE","payload":${payload}},`;
      const player = play(seat, (state) => link.send(`${begun}${state},"${match}","${seat}"]`));
      link.listen((message) => (message.length === 1 ? link.send("3") : player.hear(message))); // "2" is a ping
      return () => player.hear(synced);
    };
    const starters = await Promise.all([0, 1].map(enter));
    return () => starters.forEach((start) => start());
  }

  glance(message, seat) {
    const kind = message[13];
    if (kind !== byte("u") && kind !== byte("s")) return NOTHING;
    const current = message.indexOf(this.#current) + this.#current.length;
    if (message[current] !== byte("0") + seat) return NOTHING;
    let state = 0;
    for (let at = message.indexOf(this.#state, current) + this.#state.length; message[at] <= byte("9"); at++) {
      state = 10 * state + message[at] - byte("0");
    }
    return told(kind === byte("u"), state);
  }

  read(message, seat) {
    const [kind, , found] = JSON.parse(message.subarray(message.indexOf("[")));
    if (kind !== "update" && kind !== "sync") return NOTHING;
    const { ctx, _stateID } = kind === "sync" ? found.state : found;
    return ctx.currentPlayer === String(seat) ? told(kind === "update", _stateID) : NOTHING;
  }
}

/** Colyseus: a seat is reserved over HTTP; then the first byte tells the kind of a message, and msgpack follows. */
class Colyseus {
  #JOIN_ROOM = Buffer.of(10);
  #ROOM_DATA = 13;
  #seat = Buffer.from("\xa4seat", "latin1");
  #act;
  #unpack;

  constructor(url, { Packr, unpack }) {
    this.url = url;
    const call = new Packr().pack({ type: "call", amount: 0 });
    this.#act = Buffer.concat([Buffer.of(this.#ROOM_DATA, 0xa3), Buffer.from("act"), call]);
    this.#unpack = unpack;
  }

  async join(index, play) {
    const enter = async (seat, way) => {
      const { roomId, processId, sessionId } = await post(`${this.url}/matchmake/${way}`);
      const link = await Link.open(`${this.url.replace("http", "ws")}/${processId}/${roomId}?sessionId=${sessionId}`);
      await link.until(this.#JOIN_ROOM);
      link.send(this.#JOIN_ROOM, BINARY);
      const player = play(seat, () => link.send(this.#act, BINARY));
      link.listen(player.hear);
      return { roomId, player };
    };
    const { roomId, player } = await enter(0, "create/betting");
    await enter(1, `joinById/${roomId}`);
    return () => player.act(true);
  }

  glance(message, seat) {
    if (message[0] !== this.#ROOM_DATA) return NOTHING;
    if (message[2] !== byte("a")) return REFUSED; // "refused", not "acted"
    return message[message.indexOf(this.#seat) + this.#seat.length] === seat ? NOTHING : told(true, true);
  }

  read(message, seat) {
    if (message[0] !== this.#ROOM_DATA) return NOTHING;
    const end = 2 + (message[1] & 0x1f);
    const type = message.latin1Slice(2, end);
    if (type === "refused") return REFUSED;
    return type !== "acted" || this.#unpack(message.subarray(end)).seat === seat ? NOTHING : told(true, true);
  }
}

export const contestants = {
  parlour: (url) => new Parlour(url),
  events: (url) => new Events(url),
  boardgame: (url) => new Boardgame(url),
  colyseus: async (url) => new Colyseus(url, await import("msgpackr")),
};
