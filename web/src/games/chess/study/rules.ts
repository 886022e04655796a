/** The rules of chess and its variants for boards that no server watches: a thin layer over chessops. */

import { IllegalSetup, isImpossibleCheck, type Position } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { makeSan, parseSan } from "chessops/san";
import type { Role, Rules } from "chessops/types";
import { makeSquare, makeUci, parseUci } from "chessops/util";
import { defaultPosition, setupPosition, castlingSide, normalizeMove } from "chessops/variant";
import type { Move, Tree } from "./tree.ts";

export type { Position };

const RULES: Readonly<Record<string, Rules>> = {
  standard: "chess",
  chess960: "chess",
  antichess: "antichess",
  atomic: "atomic",
  crazyhouse: "crazyhouse",
  horde: "horde",
  king_of_the_hill: "kingofthehill",
  racing_kings: "racingkings",
  three_check: "3check",
};

/** Our names of the variants, in the order of a menu. */
export const VARIANTS = Object.keys(RULES);

export const rulesOf = (variant: string): Rules => RULES[variant] ?? "chess";

/** The name of a variant by the rules and, where they are those of chess, by the word of a PGN file. */
export function variantOf(rules: Rules, word = ""): string {
  if (rules === "chess") return /960|fischer/i.test(word) ? "chess960" : "standard";
  return VARIANTS.find((name) => RULES[name] === rules) ?? "standard";
}

export const startOf = (variant: string): string => fenOf(defaultPosition(rulesOf(variant)));

export const fenOf = (position: Position): string => makeFen(position.toSetup());

/** Why a position cannot be played; each has its words. */
export type Fault = "fen" | "empty" | "kings" | "pawns" | "opposite" | "variant" | "pieces" | "checks";

const FAULTS: Readonly<Record<string, Fault>> = {
  [IllegalSetup.Empty]: "empty",
  [IllegalSetup.Kings]: "kings",
  [IllegalSetup.PawnsOnBackrank]: "pawns",
  [IllegalSetup.OppositeCheck]: "opposite",
  [IllegalSetup.Variant]: "variant",
};

/** The position that a FEN describes, or what is wrong with it. */
export function positionFrom(variant: string, fen: string): Position | Fault {
  return parseFen(fen.trim())
    .chain((setup) => setupPosition(rulesOf(variant), setup))
    .unwrap<Position, Fault>(
      (position) => position,
      (error) => FAULTS[error.message] ?? "fen",
    );
}

/** What keeps two people from playing a position at a table, where anything does. */
export function faultOf(variant: string, fen: string): Fault | null {
  const position = positionFrom(variant, fen);
  if (typeof position === "string") return position;
  if (position.rules === "chess" || position.rules === "3check" || position.rules === "kingofthehill") {
    const { board } = position;
    for (const colour of ["white", "black"] as const) {
      if (board[colour].size() > 16 || board.pieces(colour, "pawn").size() > 8) return "pieces";
    }
    if (isImpossibleCheck(position)) return "checks";
  }
  return null;
}

const PROMOTIONS: readonly Role[] = ["queen", "knight", "rook", "bishop"];

/** Every legal move, in UCI as our server writes it: castling is e1g1, in Chess960 the king takes its rook. */
export function legalMoves(position: Position, variant: string): string[] {
  const context = position.ctx();
  const moves: string[] = [];
  for (const [from, dests] of position.allDests(context)) {
    const pawn = position.board.pawn.has(from);
    for (const to of dests) {
      if (pawn && (to < 8 || to >= 56)) {
        const roles = position.rules === "antichess" ? [...PROMOTIONS, "king" as const] : PROMOTIONS;
        for (const promotion of roles) moves.push(makeUci({ from, to, promotion }));
      } else moves.push(written(position, variant, { from, to }));
    }
  }
  for (const to of position.dropDests(context)) {
    const pocket = position.pockets?.[position.turn];
    for (const role of ["queen", "rook", "bishop", "knight", "pawn"] as const) {
      const move = { role, to };
      if (pocket?.[role] && position.isLegal(move, context)) moves.push(makeUci(move));
    }
  }
  return moves;
}

function written(position: Position, variant: string, move: { from: number; to: number }): string {
  const side = variant === "chess960" ? undefined : castlingSide(position, move);
  if (!side) return makeUci(variant === "chess960" ? normalizeMove(position, move) : move);
  const rank = position.turn === "white" ? 0 : 56;
  return makeSquare(move.from) + makeSquare(rank + (side === "h" ? 6 : 2));
}

/** Plays a move in UCI or SAN; null where it is not legal. */
export function play(position: Position, variant: string, text: string): { move: Move; position: Position } | null {
  const move = parseUci(text) ?? parseSan(position, text);
  if (!move || !position.isLegal(move)) return null;
  const uci = "role" in move || move.promotion ? makeUci(move) : written(position, variant, move);
  const san = makeSan(position, move);
  const next = position.clone();
  next.play(move);
  return { move: { uci, san, fen: fenOf(next), comments: [], nags: [], children: [] }, position: next };
}

/** A tree with these moves as its only line, as far as they are legal; a position that cannot be read gives a fault. */
export function treeOf(variant: string, start: string | null, moves: readonly string[], headers: Iterable<readonly [string, string]> = []): Tree | Fault {
  const position = positionFrom(variant, start ?? startOf(variant));
  if (typeof position === "string") return position;
  const tree: Tree = { variant, start: fenOf(position), headers: new Map(headers), comments: [], children: [] };
  const first = lineOf(variant, tree.start, moves).reduceRight<Move | undefined>((rest, move) => ({ ...move, children: rest ? [rest] : [] }), undefined);
  return { ...tree, children: first ? [first] : [] };
}

/** The moves of a line in UCI or SAN, as far as they are legal. */
export function lineOf(variant: string, fen: string, line: readonly string[]): Move[] {
  let position = positionFrom(variant, fen);
  const moves: Move[] = [];
  for (const text of line) {
    const played: ReturnType<typeof play> = typeof position === "string" ? null : play(position, variant, text);
    if (!played) break;
    moves.push(played.move);
    position = played.position;
  }
  return moves;
}

/** The same in SAN. */
export const sanOf = (variant: string, fen: string, line: readonly string[]): string[] => lineOf(variant, fen, line).map((move) => move.san);

/** How the game ended in a position: who won, and the reason's name; null while it goes on. */
export function endOf(position: Position): { winner: "white" | "black" | null; reason: string } | null {
  const outcome = position.outcome();
  if (!outcome) return null;
  const reason = position.isCheckmate() ? "checkmate" : position.isVariantEnd() ? "variant" : position.isStalemate() ? "stalemate" : "insufficient_material";
  return { winner: outcome.winner ?? null, reason };
}
