import assert from "node:assert/strict";
import { test } from "node:test";
import { bracket } from "../src/tournaments/knockout.ts";
import { half, meetings } from "../src/tournaments/meetings.ts";
import { clockText, timeLeft, toNextBreak } from "../src/tournaments/clock.ts";
import type { Pairing } from "../src/tournaments/types.ts";

const game = (white: number | null, black: number | null, result: Pairing["result"], board = 1): Pairing => ({ board, table: white && black ? `T${white}${black}` : null, white, black, result });

test("a clock is written as people read it", () => {
  assert.equal(clockText(0), "0:00");
  assert.equal(clockText(-5), "0:00");
  assert.equal(clockText(999), "0:01");
  assert.equal(clockText(61_000), "1:01");
  assert.equal(clockText(3_725_000), "1:02:05");
});

test("time is counted from when the view came, and stands still in a pause", () => {
  const clock = { kind: "level", ends_at: null, remaining: 90_000, running: true, hands_left: null } as const;
  assert.equal(timeLeft(clock, 1000, 31_000), 60_000);
  assert.equal(timeLeft(clock, 1000, 1_000_000), 0);
  assert.equal(timeLeft({ ...clock, running: false }, 1000, 31_000), 90_000);
  assert.equal(timeLeft({ ...clock, remaining: null }, 1000, 31_000), null);
});

test("the next break comes after what is left of this level and all levels before it", () => {
  const levels = [
    [10, 1, 2, 0],
    [12, 2, 4, 0],
    [15, 3, 6, 0],
    [20, 4, 8, 0],
  ];
  const at = (number: number) => ({ number, small_blind: 1, big_blind: 2, ante: 0, next: null });
  const settings = { levels, breaks: [[3, 5]], level_by: "minutes" };
  assert.equal(toNextBreak({ settings, level: at(1) }, 60_000), (1 + 12 + 15) * 60_000);
  assert.equal(toNextBreak({ settings, level: at(3) }, 60_000), 60_000);
  assert.equal(toNextBreak({ settings, level: at(4) }, 60_000), null);
  assert.equal(toNextBreak({ settings: { ...settings, level_by: "hands" }, level: at(1) }, 60_000), null);
});

test("a cross table has both sides of every pairing, byes and forfeits too", () => {
  const met = meetings([
    { number: 1, pairings: [game(1, 2, "1-0"), game(3, null, "bye")] },
    { number: 2, pairings: [game(2, 3, "1/2-1/2"), game(1, null, "half-bye")] },
    { number: 3, pairings: [game(3, 1, "--+"), game(2, null, null)] },
  ]);
  const points = (entry: number) => met.get(entry)?.map((one) => one.points);
  assert.deepEqual(points(1), [1, 0.5, 1]);
  assert.deepEqual(points(2), [0, 0.5, null]);
  assert.deepEqual(points(3), [1, 0.5, 0]);
  assert.deepEqual(
    met.get(1)?.map(({ opponent, colour, unplayed }) => [opponent, colour, unplayed]),
    [
      [2, "white", false],
      [null, null, true],
      [3, "black", true],
    ],
  );
  assert.deepEqual([0, 0.5, 1, 2.5].map(half), ["0", "½", "1", "2½"]);
});

test("the matches of a knock-out stand before those that they lead to", () => {
  // The second match of the next round is fed by the first and the last board of this one.
  const rounds = [
    { number: 1, pairings: [game(1, 8, "1-0", 1), game(4, 5, "0-1", 2), game(3, 6, "1-0", 3), game(2, 7, "1-0", 4)] },
    { number: 2, pairings: [game(5, 3, null, 1), game(1, 2, null, 2)] },
  ];
  const [first, second, last] = bracket(rounds);
  assert.deepEqual(
    first?.map(({ sides, winner }) => [...sides, winner]),
    [
      [4, 5, 5],
      [3, 6, 3],
      [1, 8, 1],
      [2, 7, 2],
    ],
  );
  assert.equal(second?.length, 2);
  assert.deepEqual(last?.map(({ sides }) => sides), [[null, null]]);
});

test("games of the same two are one match, and its score counts for the right side", () => {
  const [matches] = bracket([{ number: 1, pairings: [game(1, 2, "1-0"), game(2, 1, "1/2-1/2"), game(3, null, "bye", 2)] }]);
  assert.equal(matches?.length, 2);
  assert.deepEqual(matches?.[0]?.score, [1.5, 0.5]);
  assert.equal(matches?.[0]?.winner, 1);
  assert.deepEqual([matches?.[1]?.bye, matches?.[1]?.winner], [true, 3]);
});

test("a final that ends level belongs to whom the tournament says", () => {
  const rounds = [{ number: 1, pairings: [game(1, 2, "1-0"), game(2, 1, "1-0"), game(1, 2, "1/2-1/2")] }];
  assert.equal(bracket(rounds)[0]?.[0]?.winner, null);
  assert.equal(bracket(rounds, 2)[0]?.[0]?.winner, 2);
});

test("the rounds that are still to come have a place for each match", () => {
  const pairings = Array.from({ length: 8 }, (_, at) => game(2 * at + 1, 2 * at + 2, "1-0", at + 1));
  const columns = bracket([{ number: 1, pairings }]);
  assert.deepEqual(columns.map((matches) => matches.length), [8, 4, 2, 1]);
  assert.deepEqual(columns[1]?.[0]?.sides, [1, 3]);
  assert.deepEqual(bracket([]), []);
});
