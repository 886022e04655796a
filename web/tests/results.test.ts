import assert from "node:assert/strict";
import { test } from "node:test";
import type { PokerView } from "../src/games/holdem/types.ts";

// Words and choices of a device are read from its page.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } }, matchMedia: () => ({ matches: false }) });
Object.defineProperty(navigator, "languages", { value: ["en-GB"] });
const { resultLines } = await import("../src/games/holdem/stage/results.ts");
const { sizeName, sizesOf } = await import("../src/games/holdem/words.ts");
const { loadWords } = await import("../src/i18n/index.ts");

const NAMES = ["Ada", "Bo", "Cy", "Di", "Eve", "Flo"];

/** A view of a hand on two boards; each part is [board, amount, winners]. */
function after(...parts: [board: number, amount: number, winners: number[]][]): PokerView {
  const pot = { amount: 0, seats: [], winners: [0], shares: [0], parts: parts.map(([board, amount, winners]) => ({ board, side: "high", amount, winners, made: null })) };
  const seats = NAMES.map((name, seat) => ({ seat, player: { id: name, name, avatar: null, bot: false } }));
  return { seats, state: { hand: 1, blinds: [1, 2], players: [], result: { hand: 1, pots: [pot], payouts: {}, shown: {}, reason: "showdown" } } } as unknown as PokerView;
}

test("those who split are listed, and counted where a line has no room for their names", async () => {
  await loadWords("holdem");
  const everybody = [0, 1, 2, 3, 4, 5];
  assert.deepEqual(resultLines(after([0, 20, [0]], [1, 12, everybody], [1, 9, [0, 1, 2]], [1, 4, [4, 5]])), [
    "Board 1: Ada wins 20",
    "Board 2: 6 players 12 · Ada, Bo and Cy 9 · Eve and Flo 4",
  ]);
  assert.deepEqual(resultLines(after([0, 20, [0]], [1, 12, everybody])), ["Board 1: Ada wins 20", "Board 2: Ada, Bo, Cy, Di, Eve and Flo split 12"]);
});

test("the most that a pot limit allows is called the pot, whatever the server reckons it in", () => {
  const blinds = { name: "big_blind", percent: 300, to: 6 } as const;
  const names = (max: number, all_in: number) => sizesOf({ sizes: [{ name: "big_blind", percent: 200, to: 4 }, blinds], max, all_in }).map((size) => `${sizeName(size)} ${size.to}`);
  assert.deepEqual(names(6, 200), ["2 bb 4", "Pot 6"]);
  assert.deepEqual(names(7, 200), ["2 bb 4", "3 bb 6", "Pot 7"]);
  assert.deepEqual(names(200, 200), ["2 bb 4", "3 bb 6"]);
});

test("side pots have numbers where there are several", async () => {
  await loadWords("holdem");
  const pots = (winners: number[]) => {
    const view = after();
    const paid = winners.map((winner, index) => ({ amount: 10 * (index + 1), seats: [], winners: [winner], shares: [10 * (index + 1)], made: null }));
    return resultLines({ ...view, state: { ...view.state, result: { ...view.state.result, pots: paid } } } as unknown as PokerView);
  };
  assert.deepEqual(pots([0, 1]), ["Main pot: Ada wins 10", "Side pot: Bo wins 20"]);
  assert.deepEqual(pots([0, 1, 2]), ["Main pot: Ada wins 10", "Side pot 1: Bo wins 20", "Side pot 2: Cy wins 30"]);
});
