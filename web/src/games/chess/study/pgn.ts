/** Games with variations as PGN text, and back. */

import { type ChildNode, defaultHeaders, type Game, makePgn, Node, parsePgn, type PgnNodeData, setStartingPosition, startingPosition, ChildNode as Child } from "chessops/pgn";
import { fenOf, type Fault, play, type Position, positionFrom, treeOf, variantOf } from "./rules.ts";
import type { Move, Tree } from "./tree.ts";

/** The tree as PGN, with its variations, comments and signs. */
export function writePgn(tree: Tree): string {
  const position = positionFrom(tree.variant, tree.start);
  const headers = defaultHeaders();
  for (const [name, value] of tree.headers) headers.set(name, value.replaceAll(/[\r\n]/g, " "));
  if (typeof position !== "string") setStartingPosition(headers, position);
  if (tree.variant === "chess960") headers.set("Variant", "Chess960");
  const game: Game<PgnNodeData> = { headers, moves: new Node() };
  if (tree.comments.length) game.comments = [...tree.comments];
  grow(game.moves, tree.children);
  return makePgn(game);
}

// A game may have thousands of moves, each inside the one before: a function that called itself would run out of stack.

function grow(root: Node<PgnNodeData>, first: readonly Move[]): void {
  const open: { node: Node<PgnNodeData>; children: readonly Move[] }[] = [{ node: root, children: first }];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const { san, comments, nags, children } of next.children) {
      const node: ChildNode<PgnNodeData> = new Child({ san, comments: [...comments], nags: [...nags] });
      next.node.children.push(node);
      open.push({ node, children });
    }
  }
}

export type Unread = { fault: Fault | "pgn" };

export interface Reading {
  tree: Tree;
  /** The first move that could not be played, where there is one: its line was read up to it. */
  refused: string | null;
}

/** One of the games of a text: its tags, and its moves when they are asked for, as a file may have thousands of games. */
export interface Chapter {
  headers: ReadonlyMap<string, string>;
  read(): Reading | Unread;
}

/** The games of a PGN text; none where it has none. */
export function readGames(text: string): Chapter[] {
  const games = parsePgn(text).filter((game) => game.moves.children.length > 0 || /^\s*\[/.test(text));
  return games.map((game) => ({ headers: game.headers, read: () => readGame(game) }));
}

/** The first game of a PGN text. */
export function readPgn(text: string): Reading | Unread {
  return readGames(text)[0]?.read() ?? { fault: "pgn" };
}

function readGame(game: Game<PgnNodeData>): Reading | Unread {
  return startingPosition(game.headers).unwrap<Reading | Unread>(
    (position) => {
      const variant = variantOf(position.rules, game.headers.get("Variant"));
      const refused: string[] = [];
      const children = grown(game.moves, position, variant, refused);
      const headers = new Map([...game.headers].filter(([name]) => !["FEN", "SetUp", "Variant"].includes(name)));
      const tree: Tree = { variant, start: fenOf(position), headers, comments: game.comments ?? [], children };
      return { tree, refused: refused[0] ?? null };
    },
    () => ({ fault: "fen" }),
  );
}

/** The moves of a file as far as they can be played, in the order in which they are written. */
function grown(root: Node<PgnNodeData>, start: Position, variant: string, refused: string[]): Move[] {
  const first: Move[] = [];
  const open: { child: ChildNode<PgnNodeData>; position: Position; moves: Move[] }[] = [];
  const enter = (node: Node<PgnNodeData>, position: Position, moves: Move[]) => open.push(...node.children.map((child) => ({ child, position, moves })).reverse());
  enter(root, start, first);
  for (let next = open.pop(); next; next = open.pop()) {
    const { child, position, moves } = next;
    const { san, comments = [], startingComments = [], nags = [] } = child.data;
    const played = play(position, variant, san);
    if (!played) {
      refused.push(san);
      continue;
    }
    if (moves.some((one) => one.uci === played.move.uci)) continue;
    const children: Move[] = [];
    // A comment before a variation is kept behind its first move: a tree has one place for comments.
    moves.push({ ...played.move, comments: [...startingComments, ...comments], nags, children });
    enter(child, played.position, children);
  }
  return first;
}

/** What somebody pasted: a position in FEN, or games in PGN. */
export function readText(text: string, variant: string): Chapter[] {
  const line = text.trim();
  if (!/^[^\s/]+(\/[^\s/]+){7}(\s|$)/.test(line)) return readGames(line);
  const tree = treeOf(variant, line, []);
  return [{ headers: new Map(), read: () => (typeof tree === "string" ? { fault: tree } : { tree, refused: null }) }];
}
