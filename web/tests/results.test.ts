import assert from "node:assert/strict";
import { test } from "node:test";
import type { PokerView } from "../src/games/holdem/types.ts";

// Words and choices of a device are read from its page.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } }, matchMedia: () => ({ matches: false }) });
Object.defineProperty(navigator, "languages", { value: ["en-GB"] });
const { resultLines } = await import("../src/games/holdem/stage/results.ts");
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
