/** Small facts about a game, without words and without a page. */

import type { Colour } from "./types.ts";

/** The result as it stands in a score sheet. */
export function score(winner: Colour | null, reason: string): string {
  if (reason === "aborted") return "–";
  if (reason === "forfeit") return winner ? (winner === "white" ? "+–" : "–+") : "––";
  return winner ? (winner === "white" ? "1–0" : "0–1") : "½–½";
}

/** What a move sounds like. */
export function soundOf(san: string): "move" | "capture" | "chessCheck" {
  if (/[+#]$/.test(san)) return "chessCheck";
  return san.includes("x") ? "capture" : "move";
}

/** How many checks a player has given, in three-check: the position says how many each has still to give. */
export function checksGiven(variant: string, fen: string, colour: Colour): number | null {
  if (variant !== "three_check") return null;
  const left = / (\d)\+(\d) /.exec(fen)?.[colour === "white" ? 1 : 2];
  return left === undefined ? 0 : 3 - Number(left);
}

export const DAY = 86_400_000;

/** From when on a clock warns: an eighth of what it started with, within reason. */
export function lowFrom(initial: number): number {
  return initial >= DAY ? DAY / 8 : Math.min(60_000, Math.max(10_000, initial / 8));
}
