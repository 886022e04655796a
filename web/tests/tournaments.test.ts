import assert from "node:assert/strict";
import { test } from "node:test";
import { lastMoves } from "../src/tournaments/seatChanges.ts";
import { bracket } from "../src/tournaments/knockout.ts";
import { byeOf, half, meetings } from "../src/tournaments/meetings.ts";
import { clockText, timeLeft, toNextBreak } from "../src/tournaments/clock.ts";
import type { Pairing, TournamentView } from "../src/tournaments/types.ts";

// Words and choices of a device are read from its page.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } }, matchMedia: () => ({ matches: false }) });
const { loadWords } = await import("../src/i18n/index.ts");
const { lateWords, placesNow, startSentence } = await import("../src/tournaments/words.ts");

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

test("seat changes are the newest moves, with the seats that were drawn for the final table", () => {
  const tables = [
    { number: 2, final: false },
    { number: 3, final: true },
  ];
  const moves = [
    { entry: 1, from: null, to: 2, seat: 0, at: 1 },
    { entry: 1, from: 1, to: 2, seat: 4, at: 2 },
    { entry: 1, from: null, to: 3, seat: 6, at: 3 },
  ];
  assert.deepEqual(lastMoves({ status: "running", moves, tables }, 6).map(({ at }) => at), [3, 2]);
  assert.deepEqual(lastMoves({ status: "break", moves, tables }, 1).map(({ at }) => at), [3]);
  assert.deepEqual(lastMoves({ status: "finished", moves, tables }, 6), []);
});

test("a bye is told of the round that is played now, with its points and the round that follows", () => {
  const swiss = (...pairings: Pairing[][]) => ({
    format: "swiss" as const,
    status: "running" as const,
    settings: { bye_points: 1 },
    rounds_planned: 2,
    rounds: pairings.map((each, at) => ({ number: at + 1, pairings: each })),
  });
  const first = [game(1, 2, null), game(3, null, "bye")];
  const second = [game(1, 3, null), game(2, null, "half-bye")];
  assert.deepEqual(byeOf(swiss(first), 3), { round: 1, points: 1, next: 2 });
  assert.equal(byeOf(swiss(first), 1), null);
  assert.equal(byeOf(swiss(first), null), null);
  assert.equal(byeOf(swiss(first, second), 3), null);
  assert.deepEqual(byeOf(swiss(first, second), 2), { round: 2, points: 0.5, next: null });
  assert.deepEqual(byeOf({ ...swiss(first), format: "round_robin" }, 3)?.points, 0);
  assert.equal(byeOf({ ...swiss(first), status: "finished" }, 3), null);
});

test("a place is one of those left in hold'em, and in chess of all who have one", () => {
  const standings = [1, 2, 3, 4, 5].map((place) => ({ place })) as TournamentView["standings"];
  assert.equal(placesNow({ format: "arena", standings, players_left: 4 }, 4), 5);
  assert.equal(placesNow({ format: "mtt", standings, players_left: 4 }, 2), 4);
});

test("the list says until when one may still enter what runs", async () => {
  await loadWords("tournaments");
  const line = { format: "mtt", status: "running", late_until: 4 } as const;
  assert.equal(lateWords(line), "late entry until level 4");
  assert.equal(lateWords({ ...line, format: "swiss", late_until: 2 }), "late entry until round 2");
  assert.equal(lateWords({ ...line, late_until: null }), "");
  assert.equal(lateWords({ ...line, status: "registering" }), "");
  assert.equal(lateWords({ ...line, format: "arena", late_until: null }), "open until the end");
});

test("the host is told what a tournament waits for, and everybody else who starts it", async () => {
  await loadWords("tournaments");
  const view = { format: "swiss", start_at: null, settings: { entries_min: 2 }, you: null } as const;
  assert.equal(startSentence(view), "The host starts it");
  assert.equal(startSentence({ ...view, you: { entry: null, host: true, can: [] } }), "You can start it once 2 players are in.");
  assert.equal(startSentence({ ...view, you: { entry: null, host: true, can: ["start"] } }), "You start it.");
  assert.equal(startSentence({ ...view, format: "sitngo", settings: { entries_max: 9 } }), "Starts with 9 players");
});
