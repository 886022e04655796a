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

function grow(node: Node<PgnNodeData>, children: readonly Move[]): void {
  for (const { san, comments, nags, children: next } of children) {
    const child: ChildNode<PgnNodeData> = new Child({ san, comments: [...comments], nags: [...nags] });
    node.children.push(child);
    grow(child, next);
  }
}

export type Unread = { fault: Fault | "pgn" };

export interface Reading {
  tree: Tree;
  /** The first move that could not be played, where there is one: its line was read up to it. */
  refused: string | null;
}

/** The first game of a PGN text. */
export function readPgn(text: string): Reading | Unread {
  const game = parsePgn(text)[0];
  if (!game || (!game.moves.children.length && !/^\s*\[/.test(text))) return { fault: "pgn" };
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

function grown(node: Node<PgnNodeData>, position: Position, variant: string, refused: string[]): Move[] {
  const moves: Move[] = [];
  for (const child of node.children) {
    const { san, comments = [], startingComments = [], nags = [] } = child.data;
    const played = play(position, variant, san);
    if (!played) {
      refused.push(san);
      continue;
    }
    if (moves.some((one) => one.uci === played.move.uci)) continue;
    // A comment before a variation is kept behind its first move: a tree has one place for comments.
    moves.push({ ...played.move, comments: [...startingComments, ...comments], nags, children: grown(child, played.position, variant, refused) });
  }
  return moves;
}

/** What somebody pasted: a position in FEN, or a game in PGN. */
export function readText(text: string, variant: string): Reading | Unread {
  const line = text.trim();
  if (!/^[^\s/]+(\/[^\s/]+){7}(\s|$)/.test(line)) return readPgn(line);
  const tree = treeOf(variant, line, []);
  return typeof tree === "string" ? { fault: tree } : { tree, refused: null };
}
