/** A position as somebody sets it up: the parts of a FEN, each to be changed by itself. */

import { placement, positionOf, type Board } from "../position.ts";
import type { Colour } from "../types.ts";

export interface Setup {
  board: Board;
  turn: Colour;
  /** Which of K, Q, k and q may still castle. */
  castling: string;
  /** The square behind a pawn that has just gone two squares, or '-'. */
  passing: string;
  /** What the variant adds, as FEN writes it: pieces in hand behind the board, checks that remain before the counts. */
  held: string | null;
  checks: string | null;
  halfmoves: number;
  fullmoves: number;
}

const FILES = "abcdefgh";
const RIGHTS = ["K", "Q", "k", "q"] as const;

/** The parts of a FEN; null where its board cannot be read. Missing parts are the usual ones. */
export function readSetup(fen: string): Setup | null {
  const [pieces = "", turn = "w", castling = "-", passing = "-", ...counts] = fen.trim().split(/\s+/);
  const rows = pieces.replace(/\[.*$/, "").split("/");
  if (rows.length !== 8 || !rows.every((row) => /^[pnbrqkPNBRQK1-8~]+$/.test(row) && width(row) === 8)) return null;
  if (!/^[wb]$/.test(turn) || !/^(-|[a-h][36])$/.test(passing)) return null;
  const { board, held } = positionOf(pieces);
  const checks = counts[0]?.includes("+") ? (counts.shift() ?? null) : null;
  const rights = [...castling].map((letter) => (/[a-h]/i.test(letter) ? rightOf(board, letter) : letter));
  return {
    board,
    turn: turn === "b" ? "black" : "white",
    castling: RIGHTS.filter((right) => rights.includes(right)).join(""),
    passing,
    held,
    checks,
    halfmoves: Number(counts[0]) || 0,
    fullmoves: Number(counts[1]) || 1,
  };
}

const width = (row: string): number => [...row].reduce((sum, char) => sum + (char === "~" ? 0 : Number(char) || 1), 0);

/** Chess960 names the file of the rook: which side of the king it is. */
function rightOf(board: Board, letter: string): string {
  const white = letter === letter.toUpperCase();
  const king = [...board].find(([, piece]) => piece === (white ? "K" : "k"))?.[0] ?? "e";
  const short = letter.toLowerCase() > king.charAt(0);
  return white ? (short ? "K" : "Q") : short ? "k" : "q";
}

/** The FEN of a setup. Rights that the pieces do not allow are left out. */
export function writeSetup(setup: Setup, variant: string): string {
  const rights = possibleCastling(setup.board, variant);
  const castling = RIGHTS.filter((right) => setup.castling.includes(right) && rights.includes(right)).join("") || "-";
  const passing = possiblePassing(setup.board, setup.turn).includes(setup.passing) ? setup.passing : "-";
  const held = variant === "crazyhouse" ? `[${setup.held ?? ""}]` : "";
  const checks = variant === "three_check" ? [setup.checks ?? "3+3"] : [];
  return [placement(setup.board) + held, setup.turn === "white" ? "w" : "b", castling, passing, ...checks, setup.halfmoves, setup.fullmoves].join(" ");
}

/** The castling rights that king and rooks allow where they stand. */
export function possibleCastling(board: Board, variant: string): string {
  if (variant === "antichess" || variant === "racing_kings") return "";
  return RIGHTS.filter((right) => {
    const white = right === right.toUpperCase();
    const rank = white ? "1" : "8";
    const [king, rook] = white ? ["K", "R"] : ["k", "r"];
    const short = right.toLowerCase() === "k";
    if (variant !== "chess960") return board.get(`e${rank}`) === king && board.get(`${short ? "h" : "a"}${rank}`) === rook;
    const at = FILES.indexOf([...FILES].find((file) => board.get(file + rank) === king) ?? "?");
    const files = at < 0 ? "" : short ? FILES.slice(at + 1) : FILES.slice(0, at);
    return [...files].some((file) => board.get(file + rank) === rook);
  }).join("");
}

/** The squares on which a pawn could be taken in passing. */
export function possiblePassing(board: Board, turn: Colour): string[] {
  const [own, their, start, behind, rank] = turn === "white" ? ["P", "p", "7", "6", "5"] : ["p", "P", "2", "3", "4"];
  return [...FILES]
    .filter((file, index) => {
      const beside = [FILES[index - 1], FILES[index + 1]].some((other) => other && board.get(other + rank) === own);
      return beside && board.get(file + rank) === their && !board.has(file + behind) && !board.has(file + start);
    })
    .map((file) => file + behind);
}
