import { analysisLink } from "./links.ts";
import { startOf, treeOf, VARIANTS, type Fault } from "./rules.ts";
import { hasVariations, mainLine, onMainLine, type Move, type Path, type Tree } from "./tree.ts";

// Games with variations are written as PGN, which most boards never need: its code is fetched by those that do.

/** The address of the analysis board with this game on it. */
export async function addressOf(tree: Tree, at: Path): Promise<string> {
  const start = tree.start === startOf(tree.variant) ? null : tree.start;
  if (!bare(tree)) {
    const { writePgn } = await import("./pgn.ts");
    return `/analysis?${new URLSearchParams({ pgn: writePgn(tree) }).toString()}`;
  }
  const moves = mainLine(tree);
  const link = analysisLink({ variant: tree.variant, start, moves });
  return at.length === moves.length ? link : `${link}${link.includes("?") ? "&" : "?"}ply=${at.length}`;
}

/** Whether a tree is only a line of moves, which needs no file. */
function bare(tree: Tree): boolean {
  if (tree.headers.size || tree.comments.length || hasVariations(tree)) return false;
  const moves: Move[] = [];
  for (let move = tree.children[0]; move; move = move.children[0]) moves.push(move);
  return moves.every(({ comments, nags }) => !comments.length && !nags.length);
}

/** What the query of an address puts on the board, and where in the game; a fault where it cannot be read. */
export async function readAddress(search: string): Promise<{ tree: Tree; at: Path } | Fault> {
  const query = new URLSearchParams(search);
  const wish = query.get("variant") ?? "";
  const variant = VARIANTS.includes(wish) ? wish : "standard";
  const pgn = query.get("pgn");
  const tree = pgn ? await fromPgn(pgn) : treeOf(variant, query.get("fen"), query.get("moves")?.split(",") ?? []);
  if (typeof tree === "string") return tree;
  const line = mainLine(tree);
  const at = line.slice(0, Number(query.get("ply") ?? line.length));
  return { tree, at: onMainLine(tree, at) ? at : line };
}

async function fromPgn(text: string): Promise<Tree | Fault> {
  const { readPgn } = await import("./pgn.ts");
  const reading = readPgn(text);
  return "tree" in reading ? reading.tree : "fen";
}
