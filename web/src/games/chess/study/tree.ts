/** A game with variations, as plain values: every change gives a new tree and leaves the old one as it was. */

/** A move and what may follow it. The first child goes on with its line, the others are variations. */
export interface Move {
  /** Unique among the moves that may be played in the same position. */
  uci: string;
  san: string;
  /** The position after the move. */
  fen: string;
  comments: readonly string[];
  /** Numeric annotation glyphs: 1 is '!', 2 is '?'. */
  nags: readonly number[];
  children: readonly Move[];
}

export interface Tree {
  variant: string;
  /** The position before the first move, in FEN. */
  start: string;
  headers: ReadonlyMap<string, string>;
  comments: readonly string[];
  children: readonly Move[];
}

/** The way to a position: the moves that lead there. It stays valid when variations change places. */
export type Path = readonly string[];

type Branch = { readonly children: readonly Move[] };

export const isBefore = (path: Path, whole: Path): boolean => path.length <= whole.length && path.every((uci, index) => whole[index] === uci);

/** The moves on the way, in order; shorter than the path where it leaves the tree. */
export function movesOn(tree: Branch, path: Path): Move[] {
  const moves: Move[] = [];
  let branch = tree;
  for (const uci of path) {
    const next = branch.children.find((child) => child.uci === uci);
    if (!next) break;
    moves.push(next);
    branch = next;
  }
  return moves;
}

/** The move that leads to a position; undefined for the position at the start. */
export const moveAt = (tree: Branch, path: Path): Move | undefined => (path.length ? movesOn(tree, path)[path.length - 1] : undefined);

/** The moves that have been tried in a position, its main continuation first. */
export const triedAt = (tree: Branch, path: Path): readonly Move[] => (path.length ? (moveAt(tree, path)?.children ?? []) : tree.children);

/** The path as far as the tree has it. */
export const within = (tree: Branch, path: Path): Path => path.slice(0, movesOn(tree, path).length);

/** From a position to the end of its line. */
export function lineFrom(tree: Branch, path: Path): Path {
  const line = [...path];
  for (let next = triedAt(tree, path)[0]; next; next = next.children[0]) line.push(next.uci);
  return line;
}

export const mainLine = (tree: Branch): Path => lineFrom(tree, []);

/** Whether a position is reached without entering a variation. */
export const onMainLine = (tree: Branch, path: Path): boolean => isBefore(path, mainLine(tree));

export function hasVariations(branch: Branch): boolean {
  for (let at: Branch | undefined = branch; at; at = at.children[0]) if (at.children.length > 1) return true;
  return false;
}

/** Adds a move to a position; where it has been played already, nothing changes. */
export function add(tree: Tree, path: Path, move: Move): Tree {
  return change(tree, path, (children) => (children.some((child) => child.uci === move.uci) ? children : [...children, move]));
}

/** Gives a move other comments or signs. */
export function note(tree: Tree, path: Path, said: Partial<Pick<Move, "comments" | "nags">>): Tree {
  return path.length ? change(tree, path.slice(0, -1), (children) => children.map((child) => (child.uci === path.at(-1) ? { ...child, ...said } : child))) : tree;
}

/** Takes a move out, with everything that follows it. */
export function remove(tree: Tree, path: Path): Tree {
  return path.length ? change(tree, path.slice(0, -1), (children) => children.filter((child) => child.uci !== path.at(-1))) : tree;
}

/** Puts the variation of a position before its rivals, where it last left another line. */
export function promote(tree: Tree, path: Path): Tree {
  for (let end = path.length; end > 0; end--) {
    const parent = path.slice(0, end - 1);
    const uci = path[end - 1];
    if (triedAt(tree, parent)[0]?.uci === uci) continue;
    return change(tree, parent, (children) => [...children.filter((child) => child.uci === uci), ...children.filter((child) => child.uci !== uci)]);
  }
  return tree;
}

/** The next or previous move that was tried in the same position; the same path where there is no other. */
export function beside(tree: Branch, path: Path, step: 1 | -1): Path {
  const parent = path.slice(0, -1);
  const rivals = triedAt(tree, parent);
  const next = rivals[rivals.findIndex((move) => move.uci === path.at(-1)) + step];
  return path.length && next ? [...parent, next.uci] : path;
}

/** Copies the moves on the way to a position, from its end: games may be longer than the stack is deep. */
function change(tree: Tree, path: Path, edit: (children: readonly Move[]) => readonly Move[]): Tree {
  const way = movesOn(tree, path);
  if (way.length < path.length) return tree;
  let children = edit(way.at(-1)?.children ?? tree.children);
  for (let depth = way.length - 1; depth >= 0; depth--) {
    const rivals = way[depth - 1]?.children ?? tree.children;
    const below = children;
    children = rivals.map((child) => (child === way[depth] ? { ...child, children: below } : child));
  }
  return { ...tree, children };
}
