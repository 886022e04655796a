import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisLink, editorLink } from "../src/games/chess/study/links.ts";
import { commandsIn, inEnglish, plainComment, withFigures, withLetters } from "../src/games/chess/study/notation.ts";
import { readGames, readPgn, readText, writePgn } from "../src/games/chess/study/pgn.ts";
import { endOf, faultOf, legalMoves, play, positionFrom, sanOf, startOf, treeOf } from "../src/games/chess/study/rules.ts";
import { add, beside, hasVariations, lineFrom, mainLine, moveAt, note, onMainLine, promote, remove, triedAt, within, type Path, type Tree } from "../src/games/chess/study/tree.ts";

const start = (moves: string[] = [], variant = "standard", fen: string | null = null): Tree => {
  const tree = treeOf(variant, fen, moves);
  assert.ok(typeof tree !== "string", String(tree));
  return tree;
};

/** Plays a move, in SAN, in a position of the tree. */
const tried = (tree: Tree, path: Path, san: string): Tree => {
  const position = positionFrom(tree.variant, moveAt(tree, path)?.fen ?? tree.start);
  assert.ok(typeof position !== "string");
  const played = play(position, tree.variant, san);
  assert.ok(played, `${san} is not legal`);
  return add(tree, path, played.move);
};

const branched = () => tried(tried(tried(start(["e4", "e5", "Nf3", "Nc6"]), ["e2e4"], "c5"), ["e2e4", "c7c5"], "Nf3"), [], "d4");

test("a move that is tried becomes a variation, once", () => {
  const tree = branched();
  assert.deepEqual(mainLine(tree), ["e2e4", "e7e5", "g1f3", "b8c6"]);
  assert.deepEqual(triedAt(tree, []).map((move) => move.san), ["e4", "d4"]);
  assert.deepEqual(triedAt(tree, ["e2e4"]).map((move) => move.san), ["e5", "c5"]);
  assert.equal(tried(tree, ["e2e4"], "c5").children[0]?.children.length, 2);
  assert.ok(hasVariations(tree) && !hasVariations(start(["e4"])));
  assert.ok(onMainLine(tree, ["e2e4", "e7e5"]) && !onMainLine(tree, ["e2e4", "c7c5"]));
  assert.deepEqual(lineFrom(tree, ["e2e4", "c7c5"]), ["e2e4", "c7c5", "g1f3"]);
});

test("a variation is promoted where it left its line, then to the main line", () => {
  const deep = tried(branched(), ["e2e4", "c7c5"], "Nc3");
  const once = promote(deep, ["e2e4", "c7c5", "b1c3"]);
  assert.deepEqual(triedAt(once, ["e2e4", "c7c5"]).map((move) => move.san), ["Nc3", "Nf3"]);
  assert.deepEqual(mainLine(once).slice(0, 2), ["e2e4", "e7e5"]);
  const twice = promote(once, ["e2e4", "c7c5", "b1c3"]);
  assert.deepEqual(mainLine(twice), ["e2e4", "c7c5", "b1c3"]);
  assert.equal(promote(twice, ["e2e4", "c7c5", "b1c3"]), twice);
  assert.deepEqual(mainLine(deep).slice(0, 2), ["e2e4", "e7e5"], "the old tree is as it was");
});

test("a deleted move takes what follows with it, and the next variation takes its place", () => {
  const tree = remove(branched(), ["e2e4", "e7e5"]);
  assert.deepEqual(mainLine(tree), ["e2e4", "c7c5", "g1f3"]);
  assert.deepEqual(within(tree, ["e2e4", "e7e5", "g1f3"]), ["e2e4"]);
  assert.deepEqual(mainLine(remove(tree, ["e2e4"])), ["d2d4"]);
  assert.equal(remove(tree, []), tree);
});

test("one goes from a variation to the next", () => {
  const tree = branched();
  assert.deepEqual(beside(tree, ["e2e4", "e7e5"], 1), ["e2e4", "c7c5"]);
  assert.deepEqual(beside(tree, ["e2e4", "c7c5"], 1), ["e2e4", "c7c5"]);
  assert.deepEqual(beside(tree, ["d2d4"], -1), ["e2e4"]);
  assert.deepEqual(beside(tree, [], 1), []);
});

test("a game with variations, comments and signs goes to PGN and back", () => {
  const text = '[Event "Club"]\n[White "A \\"B\\" C"]\n\n{ Before } 1. e4! { best [%clk 0:01:00] } ( 1. d4 d5 ( 1... Nf6 2. c4 $14 ) 2. c4 ) 1... e5 2. Nf3 *';
  const reading = readPgn(text);
  assert.ok("tree" in reading && reading.refused === null);
  const again = readPgn(writePgn(reading.tree));
  assert.ok("tree" in again);
  assert.deepEqual(again.tree, { ...reading.tree, headers: again.tree.headers });
  assert.equal(again.tree.headers.get("White"), 'A "B" C');
  assert.deepEqual(moveAt(again.tree, ["e2e4"])?.nags, [1]);
  assert.equal(plainComment(moveAt(again.tree, ["e2e4"])?.comments[0] ?? ""), "best");
  assert.deepEqual(moveAt(again.tree, ["d2d4", "g8f6", "c2c4"])?.nags, [14]);
});

test("what cannot be read says so, and is read up to there", () => {
  const reading = readPgn("1. e4 e5 2. Ke3 Nc6");
  assert.ok("tree" in reading);
  assert.equal(reading.refused, "Ke3");
  assert.deepEqual(mainLine(reading.tree), ["e2e4", "e7e5"]);
  assert.deepEqual(readText("hello", "standard"), []);
  assert.deepEqual(readText("8/8/8/8/8/8/8/8 w - - 0 1", "standard")[0]?.read(), { fault: "empty" });
  const position = readText("8/8/4k3/8/8/4K3/4P3/8 b", "standard")[0]?.read();
  assert.ok(position && "tree" in position && position.tree.start.startsWith("8/8/4k3/8/8/4K3/4P3/8 b"));
});

test("a file with several games has all of them, with their comments, signs and variations", () => {
  const text = '[White "Ada"]\n\n1. e4! {best} e5 (1... c5 $6) 1-0\n\n[White "Bo"]\n[Result "0-1"]\n\n1. d4 d5 0-1\n\n[White "Cy"]\n\n*\n';
  const games = readGames(text);
  assert.deepEqual(games.map(({ headers }) => headers.get("White")), ["Ada", "Bo", "Cy"]);
  const trees = games.map((game) => {
    const reading = game.read();
    assert.ok("tree" in reading);
    return reading.tree;
  });
  assert.deepEqual(trees.map((tree) => mainLine(tree).length), [2, 2, 0]);
  const again = readGames(trees.map(writePgn).join("\n"));
  assert.equal(again.length, 3);
  const first = again[0]?.read();
  assert.ok(first && "tree" in first);
  assert.deepEqual(first.tree.children, trees[0]?.children);
});

test("a comment and a sign are kept with their move", () => {
  const tree = note(start(["e4", "e5"]), ["e2e4"], { nags: [3], comments: ["[%clk 0:05:00]", "best by test"] });
  const again = readPgn(writePgn(tree));
  assert.ok("tree" in again);
  const move = moveAt(again.tree, ["e2e4"]);
  assert.deepEqual(move?.nags, [3]);
  assert.equal(move?.comments.map(plainComment).join("").trim(), "best by test");
  assert.deepEqual(move?.comments.flatMap(commandsIn), ["[%clk 0:05:00]"]);
  assert.deepEqual(moveAt(tree, ["e2e4", "e7e5"])?.nags, [], "other moves are as they were");
});

test("a position that breaks the rules says which", () => {
  assert.equal(faultOf("standard", "nonsense"), "fen");
  assert.equal(faultOf("standard", "8/8/8/8/8/8/8/K7 w - - 0 1"), "kings");
  assert.equal(faultOf("standard", "4k2P/8/8/8/8/8/8/K7 w - - 0 1"), "pawns");
  assert.equal(faultOf("standard", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"), "opposite");
  assert.equal(faultOf("standard", "4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/K7 b - - 0 1"), "pieces");
  assert.equal(faultOf("racing_kings", startOf("standard")), "variant");
  for (const variant of ["standard", "horde", "racing_kings", "crazyhouse"]) assert.equal(faultOf(variant, startOf(variant)), null);
});

test("castling, drops and promotions are written as the server writes them", () => {
  const castle = positionFrom("standard", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
  assert.ok(typeof castle !== "string");
  const moves = legalMoves(castle, "standard").filter((uci) => uci.startsWith("e1"));
  assert.ok(moves.includes("e1g1") && moves.includes("e1c1") && !moves.includes("e1h1"));
  assert.ok(legalMoves(castle, "chess960").includes("e1h1"));
  assert.equal(play(castle, "standard", "e1g1")?.move.san, "O-O");
  assert.equal(play(castle, "standard", "O-O-O")?.move.uci, "e1c1");
  assert.equal(play(castle, "chess960", "e1a1")?.move.uci, "e1a1");
  const house = start(["e4", "d5", "exd5", "Qxd5", "@e4"], "crazyhouse");
  assert.equal(mainLine(house).at(-1), "P@e4");
  assert.deepEqual(sanOf("standard", startOf("standard"), ["e2e4", "e7e5", "e4e5"]), ["e4", "e5"]);
});

test("the end of a game is known", () => {
  const end = (variant: string, fen: string) => {
    const position = positionFrom(variant, fen);
    assert.ok(typeof position !== "string", String(position));
    return endOf(position);
  };
  assert.deepEqual(end("standard", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), { winner: "white", reason: "checkmate" });
  assert.deepEqual(end("standard", "k7/2Q5/8/8/8/8/8/K7 b - - 0 1"), { winner: null, reason: "stalemate" });
  assert.deepEqual(end("standard", "k7/8/8/8/8/8/8/K7 b - - 0 1"), { winner: null, reason: "insufficient_material" });
  assert.deepEqual(end("king_of_the_hill", "k7/8/8/8/4K3/8/8/7R b - - 0 1"), { winner: "white", reason: "variant" });
  assert.equal(end("standard", startOf("standard")), null);
});

test("moves are written in the letters of a language, or with small pieces, and read in them", () => {
  assert.equal(withLetters("Nxf3+", "KDTLS"), "Sxf3+");
  assert.equal(withLetters("bxa8=Q#", "RDTAC"), "bxa8=D#");
  assert.equal(withLetters("O-O-O", "KDTLS"), "O-O-O");
  assert.equal(withLetters("N@f3", "KDTLS"), "S@f3");
  assert.equal(withFigures("Bb5"), "♗b5");
  assert.equal(inEnglish("Sf3", "KDTLS"), "Nf3");
  assert.equal(inEnglish("Rd2", "RDTAC"), "Kd2");
  assert.equal(inEnglish("e8=D", "KDTLS"), "e8=Q");
  assert.equal(inEnglish("O-O", "KDTLS"), "O-O");
});

test("the addresses of the boards say no more than they must", () => {
  assert.equal(analysisLink({ variant: "standard", start: null }), "/analysis");
  assert.equal(analysisLink({ variant: "atomic", start: null, moves: ["e2e4", "e7e5"] }), "/analysis?variant=atomic&moves=e2e4%2Ce7e5");
  assert.equal(editorLink({ variant: "standard", start: "8/8 w" }), "/editor?fen=8%2F8+w");
});

test("a game of thousands of moves is read, changed and written again", () => {
  const cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
  const moves = Array.from({ length: 12_000 }, (_, ply) => cycle[ply % 4]);
  const reading = readPgn(`${moves.join(" ")} *`);
  assert.ok("tree" in reading);
  const line = mainLine(reading.tree);
  assert.equal(line.length, moves.length);
  assert.equal(mainLine(remove(reading.tree, line)).length, moves.length - 1);
  assert.ok(writePgn(reading.tree).includes("12."));
});
