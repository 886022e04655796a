// Plays at many two-player tables of a server and measures: moves a second, and the time from a move to the other
// player's socket. Usage: node load.mjs KIND URL TABLES SECONDS RATE
// RATE 0: every table moves again as soon as it can. Otherwise about so many moves a second over all tables.
import { contestants } from "./players.mjs";

const [kind, url, tablesText, secondsText, rateText] = process.argv.slice(2);
const tables = Number(tablesText);
const seconds = Number(secondsText);
const rate = Number(rateText);
const AT_ONCE = 50;
const READ_EVERY = 100;

const contestant = await contestants[kind](url);
const latencies = [];
let held = []; // moves that wait until all tables have started
let messages = 0;
let refusals = 0;
let measuring = false;

/** One table: a move is sent, and is over when the other player has it. */
class Match {
  #sentAt = 0;
  #sender = -1;

  /** Let the player move, now or after a pause of any length, so that all tables together keep the pace throughout. */
  move(seat, say) {
    const go = () => {
      this.#sender = seat;
      this.#sentAt = performance.now();
      say();
    };
    if (rate === 0) go();
    else setTimeout(go, (-Math.log(1 - Math.random()) * 1000 * tables) / rate);
  }

  /** The player has heard of the other's move: it is over. */
  heard(seat) {
    if (this.#sender !== 1 - seat) return;
    this.#sender = -1;
    if (measuring) latencies.push(performance.now() - this.#sentAt);
  }
}

/** One of the two: acts in their turn, as the server says. */
class Player {
  #match;
  #seat;
  #say;

  constructor(match, seat, say) {
    this.#match = match;
    this.#seat = seat;
    this.#say = say;
  }

  act(answer) {
    if (held === null) this.#match.move(this.#seat, () => this.#say(answer));
    else held.push(() => this.act(answer));
  }

  hear = (message) => {
    const told = contestant.glance(message, this.#seat);
    if (!measuring || ++messages % READ_EVERY === 0) this.#check(told, message);
    if (told.moved) this.#match.heard(this.#seat);
    if (told.answer !== null) this.act(told.answer);
    if (told.refused && ++refusals < 5) console.error(String(message));
  };

  /** Reading the message in full must tell the same as the glance did. */
  #check(told, message) {
    const { moved, answer, refused } = contestant.read(message, this.#seat);
    if (told.moved === moved && told.answer === answer && told.refused === refused) return;
    throw new Error(`${kind} is not what the load takes it for: ${JSON.stringify(told)} out of ${message}`);
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

const starters = await each(Array.from({ length: tables }), (_, index) => {
  const match = new Match();
  return contestant.join(index, (seat, say) => new Player(match, seat, say));
});
await each(starters, (start) => start());
const first = held;
held = null;
first.forEach((move) => move());
await new Promise((resolve) => setTimeout(resolve, 1000)); // warm up
console.log("measuring");
const cpu = process.cpuUsage();
measuring = true;
const began = performance.now();
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
measuring = false;
const took = (performance.now() - began) / 1000;
const used = process.cpuUsage(cpu);
if (latencies.length === 0) throw new Error("no move in all that time");
latencies.sort((a, b) => a - b);
const at = (fraction) => latencies[Math.min(latencies.length - 1, Math.floor(fraction * latencies.length))];
console.log(
  JSON.stringify({
    moves: latencies.length, seconds: took, refusals, p50: at(0.5), p99: at(0.99), max: at(1),
    load: (used.user + used.system) / 1e6 / took,
  }),
);
process.exit(0);
