import assert from "node:assert/strict";
import { test } from "node:test";
import { openingAt, readNames } from "../src/games/chess/study/openings.ts";
import { readPgn, writePgn } from "../src/games/chess/study/pgn.ts";
import { annotated, judge, moveAccuracy, reportOf, winPercent, type Assessed } from "../src/games/chess/study/report.ts";
import { lineOf, treeOf } from "../src/games/chess/study/rules.ts";
import { mainLine, moveAt, triedAt } from "../src/games/chess/study/tree.ts";

const cp = (value: number, best: string[] = []): Assessed => ({ score: { kind: "cp", value }, best });
const near = (value: number | null, wanted: number, within = 0.05) => assert.ok(value !== null && Math.abs(value - wanted) < within, `${value} is not ${wanted}`);

test("the win percentage is that of the published model", () => {
  // 50 + 50 * (2 / (1 + exp(-0.00368208 * cp)) - 1), worked out elsewhere.
  for (const [pawns, percent] of [[0, 50], [100, 59.1], [300, 75.11], [-300, 24.89], [1000, 97.54], [5000, 97.54]] as const) near(winPercent({ kind: "cp", value: pawns }), percent, 0.01);
  assert.equal(winPercent({ kind: "mate", value: 3 }), 100);
  assert.equal(winPercent({ kind: "mate", value: -1 }), 0);
});

test("a move is as accurate as what it keeps", () => {
  assert.equal(moveAccuracy(60, 70), 100);
  near(moveAccuracy(60, 55), 80.8, 0.1);
  near(moveAccuracy(60, 30), 25.77, 0.1);
  assert.equal(moveAccuracy(100, 0), 0);
});

test("moves are judged by the points they give away", () => {
  assert.equal(judge(60, 55.5), null);
  assert.equal(judge(60, 55), "inaccuracy");
  assert.equal(judge(60, 50), "mistake");
  assert.equal(judge(60, 45), "blunder");
  assert.equal(judge(40, 60), null);
});

test("a blunder is charged to whoever made it, with what was better", () => {
  // White gives a piece away on the second move.
  const report = reportOf([cp(20), cp(20), cp(20, ["g1f3"]), cp(-350), cp(-350)], "white");
  assert.deepEqual(report.turns, [{ ply: 3, colour: "white", judgement: "blunder", best: ["g1f3"] }]);
  assert.deepEqual([report.white.blunder, report.black.blunder], [1, 0]);
  near(report.black.accuracy, 100);
  assert.ok((report.white.accuracy ?? 100) < 60);
  // The same scores where Black moves first are Black's gain, not a fault.
  const mirrored = reportOf([cp(20), cp(20), cp(20), cp(-350), cp(-350)], "black");
  assert.deepEqual(mirrored.turns, []);
});

test("accuracies of a game worked out by hand", () => {
  // Windows of two positions; the weights are their deviations, at least 0.5; half weighted mean, half harmonic mean.
  const scores = [20, 30, -80, -60, -300].map((value) => cp(value));
  const percents = scores.map(({ score }) => winPercent(score));
  const drop = (index: number, sign: 1 | -1) => moveAccuracy(50 + sign * ((percents[index] ?? 0) - 50), 50 + sign * ((percents[index + 1] ?? 0) - 50));
  const weight = (index: number) => Math.max(0.5, Math.min(12, Math.abs((percents[index] ?? 0) - (percents[index + 1] ?? 0)) / 2));
  const expected = (first: number, second: number, sign: 1 | -1) => {
    const [a, b, v, w] = [drop(first, sign), drop(second, sign), weight(first), weight(second)];
    return ((a * v + b * w) / (v + w) + 2 / (1 / a + 1 / b)) / 2;
  };
  const report = reportOf(scores, "white");
  near(report.white.accuracy, expected(0, 2, 1), 1e-9);
  near(report.black.accuracy, expected(1, 3, -1), 1e-9);
  assert.equal(reportOf([cp(0)], "white").white.accuracy, null);
});

test("a game without faults has a hundred percent", () => {
  const report = reportOf(Array.from({ length: 61 }, () => cp(15)), "white");
  near(report.white.accuracy, 100, 1e-9);
  near(report.black.accuracy, 100, 1e-9);
  assert.deepEqual(report.turns, []);
});

test("the report is written into the moves: signs, scores, better lines; and comes back from PGN", () => {
  const tree = treeOf("standard", null, ["e4", "e5", "Qh5", "Nc6", "Qxf7+"]);
  assert.ok(typeof tree !== "string");
  const report = reportOf([cp(20), cp(20), cp(30), cp(0), cp(0, ["f1c4", "g7g6", "h5f3"]), cp(-900)], "white");
  const marked = annotated(tree, report, (fen, line) => lineOf("standard", fen, line));
  assert.deepEqual(mainLine(marked), mainLine(tree));
  const before = mainLine(tree).slice(0, 4);
  assert.deepEqual(triedAt(marked, before).map((move) => move.san), ["Qxf7+", "Bc4"]);
  assert.deepEqual(moveAt(marked, mainLine(tree))?.nags, [4]);
  const again = readPgn(writePgn(marked));
  assert.ok("tree" in again);
  assert.deepEqual(moveAt(again.tree, mainLine(tree))?.nags, [4]);
  assert.match(moveAt(again.tree, mainLine(tree))?.comments.join(" ") ?? "", /%eval -9\.00/);
  assert.deepEqual(annotated(marked, report, (fen, line) => lineOf("standard", fen, line)), marked, "once is enough");
});

test("a position has the name of the last one before it that has one", () => {
  const names = readNames("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\tC20\tKing's Pawn Game\n");
  const tree = treeOf("standard", null, ["e4", "e5", "Ke2"]);
  assert.ok(typeof tree !== "string");
  assert.equal(openingAt(names, tree, ["e2e4"]), null);
  assert.deepEqual(openingAt(names, tree, ["e2e4", "e7e5"]), { eco: "C20", name: "King's Pawn Game" });
  assert.deepEqual(openingAt(names, tree, ["e2e4", "e7e5", "e1e2"]), { eco: "C20", name: "King's Pawn Game" });
  assert.equal(openingAt(names, { ...tree, variant: "chess960" }, ["e2e4", "e7e5"]), null);
});
