// Reads games as JSON on standard input; prints what the page makes of each: legal moves, SAN, FEN, and PGN with variations.
import { readPgn, writePgn } from "../src/games/chess/study/pgn.ts";
import { legalMoves, play, positionFrom, treeOf } from "../src/games/chess/study/rules.ts";
import { add } from "../src/games/chess/study/tree.ts";

interface Asked {
  variant: string;
  fen: string;
  moves: string[];
  /** Moves that are tried besides the one played, by the number of moves before them. */
  tried: Record<string, string[]>;
}

let text = "";
for await (const chunk of process.stdin) text += String(chunk);
const answers = (JSON.parse(text) as Asked[]).map(({ variant, fen, moves, tried }) => {
  let tree = treeOf(variant, fen, moves);
  let position = positionFrom(variant, fen);
  if (typeof tree === "string" || typeof position === "string") throw new Error(`${variant} ${fen}: ${String(tree)}`);
  const steps = [];
  for (const [ply, uci] of [...moves, ""].entries()) {
    const legal = legalMoves(position, variant).sort();
    const end = position.outcome();
    for (const other of tried[ply] ?? []) {
      const aside = play(position, variant, other);
      if (!aside) throw new Error(`${variant}: ${other} is refused`);
      tree = add(tree, moves.slice(0, ply), { ...aside.move, nags: [6], comments: ["tried instead"] });
    }
    const played = uci ? play(position, variant, uci) : null;
    steps.push({ legal, over: end !== undefined, uci: played?.move.uci, san: played?.move.san, fen: played?.move.fen });
    if (!played) break;
    position = played.position;
  }
  const pgn = writePgn(tree);
  const again = readPgn(pgn);
  return { steps, pgn, same: "tree" in again && writePgn(again.tree) === pgn };
});
process.stdout.write(JSON.stringify(answers));
