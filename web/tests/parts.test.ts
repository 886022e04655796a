import assert from "node:assert/strict";
import { test } from "node:test";
import { combinations, readRange, writeRange } from "../src/calc/ranges.ts";
import { checksGiven, lowFrom, score, soundOf } from "../src/games/chess/facts.ts";
import { fittingStyles } from "../src/games/chess/levels.ts";
import { boardOf, captured, placement, pocketOf, positionAt, positionOf, readMove, sideAt, START } from "../src/games/chess/position.ts";
import { decision, stillMeant, type PreAction } from "../src/games/holdem/preaction.ts";
import type { PokerLegal, PokerView } from "../src/games/holdem/types.ts";
import { canStart } from "../src/games/holdem/starting.ts";
import { settleUp } from "../src/games/holdem/settle.ts";

const boardAt = (start: string | null, moves: string[]) => positionAt("standard", start, moves, moves.length).board;

test("a board follows castling, en passant and promotion", () => {
  const castled = boardAt(null, ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]);
  assert.equal(placement(castled), "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1");
  const passed = boardAt("8/8/8/3pP3/8/8/8/K6k w - d6 0 1", ["e5d6"]);
  assert.equal(placement(passed), "8/8/3P4/8/8/8/8/K6k");
  assert.equal(placement(boardAt("8/P7/8/8/8/8/8/K6k w - - 0 1", ["a7a8n"])), "N7/8/8/8/8/8/8/K6k");
  assert.equal(placement(boardOf(START)), START.split(" ")[0]);
  assert.equal(placement(boardAt("8/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", ["e1g1"])), "8/8/8/8/8/8/8/1R3RK1");
  assert.equal(sideAt(null, 3), "black");
  assert.equal(sideAt("8/P6k/8/8/8/8/7K/8 b - - 0 1", 1), "white");
});

test("a piece that is dropped comes from the hand of the side to move", () => {
  const dropped = boardAt(null, ["e2e4", "d7d5", "e4d5", "d8d5", "P@e4", "P@e5"]);
  assert.equal(dropped.get("e4"), "P");
  assert.equal(dropped.get("e5"), "p");
  const position = positionOf("8/8/8/8/8/8/8/8[QPpPn] w - - 0 1");
  assert.deepEqual([...(pocketOf(position, true) ?? [])], [["Q", 1], ["P", 2]]);
  assert.deepEqual([...(pocketOf(position, false) ?? [])], [["P", 1], ["N", 1]]);
  assert.equal(pocketOf(positionOf(START), true), null);
});

test("the pieces in hand are known after any move, and a promoted piece is a pawn again", () => {
  const start = "1n5k/P7/8/8/8/8/8/K6r[q] w - - 0 1";
  const moves = ["a7b8q", "q@g7", "b8h8"];
  const held = [0, 1, 2].map((ply) => positionAt("crazyhouse", start, moves, ply).held);
  assert.deepEqual(held, ["q", "qN", "N"]);
  assert.equal(positionAt("crazyhouse", "Q~6k/8/8/8/8/8/8/K6r[] b - - 0 1", ["h1h8", "a8h8"], 2).held, "R");
  assert.equal(positionAt("crazyhouse", "Q~6r/8/7k/8/8/8/8/K7[] b - - 0 1", ["h8a8"], 1).held, "p");
  assert.equal(positionAt("crazyhouse", "8/8/7k/3pP3/8/8/8/K7[] w - d6 0 1", ["e5d6"], 1).held, "P");
});

test("in atomic chess what is taken takes its neighbours with it, but for pawns", () => {
  const position = positionAt("atomic", "4k3/8/8/2np4/4P3/3B4/8/4K3 w - - 0 1", ["e4d5"], 1);
  assert.equal(placement(position.board), "4k3/8/8/8/8/3B4/8/4K3");
});

test("captured pieces are those that are missing", () => {
  const board = boardAt(null, ["e2e4", "d7d5", "e4d5", "d8d5"]);
  assert.deepEqual(captured(board, null, true), ["p"]);
  assert.deepEqual(captured(board, null, false), ["p"]);
});

test("typed moves are read as players write them", () => {
  const board = boardOf(START);
  const legal = ["e2e4", "e2e3", "g1f3", "g1h3", "b1c3"];
  assert.equal(readMove("e4", board, legal), "e2e4");
  assert.equal(readMove("Nf3", board, legal), "g1f3");
  assert.equal(readMove("g1-f3", board, legal), "g1f3");
  assert.equal(readMove("Nd2", board, legal), null);
  const castle = boardOf("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1");
  assert.equal(readMove("0-0", castle, ["e1g1", "e1c1"]), "e1g1");
  assert.equal(readMove("O-O-O", castle, ["e1g1", "e1c1"]), "e1c1");
  assert.equal(readMove("O-O", boardOf("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"), ["e1b1", "e1g1", "e1f1"]), "e1g1");
  assert.equal(readMove("O-O-O", boardOf("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"), ["e1b1", "e1g1", "e1d1"]), "e1b1");
  assert.equal(readMove("@e4", board, ["P@e4", "N@e4"]), "P@e4");
  assert.equal(readMove("n@e4", board, ["P@e4", "N@e4"]), "N@e4");
  const two = boardOf("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
  assert.equal(readMove("Rd1", two, ["a1d1", "h1d1"]), null);
  assert.equal(readMove("Rad1", two, ["a1d1", "h1d1"]), "a1d1");
  const pawn = boardOf("8/P7/8/8/8/8/8/K6k w - - 0 1");
  assert.equal(readMove("a8", pawn, ["a7a8q", "a7a8n"]), "a7a8q");
  assert.equal(readMove("a8=N", pawn, ["a7a8q", "a7a8n"]), "a7a8n");
});

test("a range goes to the grid and back", () => {
  assert.deepEqual([...readRange("QQ+")], ["AA", "KK", "QQ"]);
  assert.equal(writeRange(readRange("AKs, ATo+")), "AKs, AKo, AQo, AJo, ATo");
  assert.equal(combinations(readRange("AA, AKs, AKo")), 6 + 4 + 12);
});

test("debts are settled with few payments, to the chip", () => {
  const payments = settleUp([
    ["Ada", 120],
    ["Bo", -70],
    ["Cy", -50],
    ["Di", 0],
  ]);
  assert.deepEqual(payments, [
    ["Bo", "Ada", 70],
    ["Cy", "Ada", 50],
  ]);
});

const view = (call: number, hand = 1, street = "flop") => ({ you: { seats: [0] }, state: { hand, street, players: [{ seat: 0, call }] } }) as unknown as PokerView;
const legal = (actions: string[], call: number, all = false) => ({ actions, call, call_all_in: all }) as unknown as PokerLegal;
const choice = (kind: PreAction["kind"], price: number): PreAction => ({ kind, hand: 1, street: "flop", price });

test("a choice made ahead means one hand, one street and one price", () => {
  assert.ok(stillMeant(choice("call", 10), view(10)));
  assert.ok(!stillMeant(choice("call", 10), view(30)), "a raise undoes it");
  assert.ok(!stillMeant(choice("checkFold", 0), view(0, 2)), "the next hand undoes it");
  assert.ok(!stillMeant(choice("callAny", 0), view(0, 1, "turn")), "the next street undoes it");
  assert.deepEqual(decision(choice("checkFold", 0), legal(["fold", "check"], 0)), { type: "check" });
  assert.deepEqual(decision(choice("checkFold", 0), legal(["fold", "call"], 5)), { type: "fold" });
  assert.equal(decision(choice("call", 10), legal(["fold", "call"], 30)), null);
  assert.deepEqual(decision(choice("callAny", 0), legal(["fold", "call"], 30)), { type: "call" });
  assert.equal(decision(choice("callAny", 0), legal(["fold", "call", "allin"], 30, true)), null, "every chip is asked for once more");
});

test("a move sounds by what it does, a result is written as on a score sheet", () => {
  assert.deepEqual(["e4", "exd5", "Qxf7#", "Bb5+", "O-O", "@e4"].map(soundOf), ["move", "capture", "chessCheck", "chessCheck", "move", "move"]);
  assert.deepEqual([score("white", "checkmate"), score("black", "time"), score(null, "agreement"), score(null, "aborted")], ["1–0", "0–1", "½–½", "–"]);
});

test("a clock warns at an eighth of its time, from ten seconds to a minute, and three hours before a day is over", () => {
  assert.deepEqual([15_000, 180_000, 600_000, 5_400_000, 3 * 86_400_000].map(lowFrom), [10_000, 22_500, 60_000, 60_000, 10_800_000]);
});

test("three-check counts the checks that were given", () => {
  const fen = "rnbqkbnr/1ppp1Qpp/p7/4p3/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 2+3 0 3";
  assert.deepEqual([checksGiven("three_check", fen, "white"), checksGiven("three_check", fen, "black"), checksGiven("standard", fen, "white")], [1, 0, null]);
});

test("a game can be started where the server would deal: by players with chips who are here", () => {
  const table = (stacks: number[], { out = [] as number[], hand = 0, status = "waiting", settings = {} } = {}) =>
    ({
      status,
      settings,
      seats: stacks.map((_, seat) => ({ seat, player: { id: `p${seat}` } })),
      state: { hand, players: stacks.map((stack, seat) => ({ seat, stack, sitting_out: out.includes(seat) })) },
    }) as unknown as PokerView;
  assert.ok(canStart(table([200, 200])));
  assert.ok(!canStart(table([200])));
  assert.ok(!canStart(table([400, 0], { hand: 7 })));
  assert.ok(!canStart(table([200, 200], { out: [1] })));
  assert.ok(!canStart(table([200, 200], { status: "playing", hand: 3 })));
  assert.ok(canStart(table([200, 200], { out: [1], settings: { absent: "blind_out" } })));
  assert.ok(!canStart(table([200, 200], { out: [0, 1], settings: { freeze_out: true } })));
  assert.ok(canStart(table([400, 0], { hand: 7, settings: { freeze_out: true } })));
});

test("a table of chess offers one scale of house players", () => {
  const all = ["medium", "easy", "hard", "level1", "level2", "engine"];
  assert.deepEqual(fittingStyles(all, "standard"), ["level1", "level2", "engine"]);
  assert.deepEqual(fittingStyles(all, "atomic"), ["easy", "medium", "hard"]);
  assert.deepEqual(fittingStyles(["medium", "easy", "hard"], "chess960"), ["easy", "medium", "hard"]);
});
