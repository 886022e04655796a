import assert from "node:assert/strict";
import { test } from "node:test";
import type { Person, View } from "../src/api/types.ts";
import type { PokerView } from "../src/games/holdem/types.ts";
import { playedBy, playedFrom, withLeavers } from "../src/table/leavers.ts";

// Words and choices of a device are read from its page.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } }, matchMedia: () => ({ matches: false }) });
const { resultLines } = await import("../src/games/holdem/stage/results.ts");
const { loadWords } = await import("../src/i18n/index.ts");

const person = (name: string): Person => ({ id: name.toLowerCase(), name, avatar: null, bot: false });
const ada = person("Ada");
const bo = person("Bo");
const cy = person("Cy");

/** Bo's view of a table of a tournament after that hand. */
function at(hand: number, people: (Person | null)[], fields: object = {}): View {
  const seats = people.map((player, seat) => ({ seat, player, connected: player !== null }));
  const own = people.flatMap((one, seat) => (one?.id === bo.id ? [seat] : []));
  return { code: "T", tournament: "TOUR", state: { hand }, seats, you: { id: bo.id, seats: own }, ...fields } as unknown as View;
}

const names = (view: View) => view.seats.map(({ seat }) => playedBy(view, seat)?.name ?? null);

test("those whom the tournament takes away are known until the next round", () => {
  const played = at(4, [ada, bo]);
  const first = withLeavers(played, at(4, [ada, null]));
  const closed = withLeavers(first, at(4, [null, null]));
  assert.deepEqual(names(closed), ["Ada", "Bo"]);
  assert.equal(playedFrom(played), 1);
  assert.equal(playedFrom(closed), 1);
  assert.deepEqual(closed.seats.map(({ player }) => player), [null, null], "their seats are free");
  assert.deepEqual(names(withLeavers(closed, at(5, [cy, null]))), ["Cy", null]);
});

test("a result keeps the name of its winner when somebody else gets the seat", () => {
  const moved = withLeavers(at(4, [ada, bo]), at(4, [null, bo]));
  const taken = withLeavers(moved, at(4, [cy, bo]));
  assert.deepEqual(names(taken), ["Ada", "Bo"]);
  assert.equal(taken.seats[0]?.player?.name, "Cy");
  assert.deepEqual(names(withLeavers(taken, at(5, [cy, bo]))), ["Cy", "Bo"]);
});

test("nobody is kept at another table, before the first round, or where no tournament gives the seats", () => {
  assert.deepEqual(names(withLeavers(at(4, [ada, bo]), at(4, [null, null], { code: "U" }))), [null, null]);
  assert.deepEqual(names(withLeavers(at(0, [ada, bo]), at(0, [null, null]))), [null, null]);
  assert.deepEqual(names(withLeavers(at(4, [ada, bo], { tournament: null }), at(4, [null, null], { tournament: null }))), [null, null]);
});

test("the last hand of a tournament is told with the winner's name", async () => {
  await loadWords("holdem");
  const result = { hand: 4, pots: [{ amount: 1720, seats: [0, 1], winners: [0], shares: [1720] }], payouts: { 0: 1720 }, shown: {}, reason: "folds" };
  const state = { hand: 4, blinds: [10, 20], players: [], result };
  const closed = withLeavers(at(4, [ada, bo], { state }), at(4, [null, null], { state }));
  assert.deepEqual(resultLines(closed as unknown as PokerView), ["Ada wins 1,720"]);
});
