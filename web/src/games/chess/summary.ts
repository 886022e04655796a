import type { RoundLine } from "../../api/types.ts";
import type { Colour } from "./types.ts";

/** What the record says of a game. Lines that an older version has recorded say nothing. */
export interface GameSummary {
  variant: string;
  result: string;
  reason: string;
  winner: Colour | null;
  /** The seats of the players. */
  white: number;
  black: number;
  plies: number;
  /** The position in which it ended. */
  fen: string;
  /** As PGN writes it: '300+3', '1/86400', '-'. */
  time_control: string;
  rated?: boolean;
  opening?: string;
}

/** The result as it stands in a score sheet: '1–0', '½–½'; a dash for a game that was broken off. */
export function scoreOf({ result }: GameSummary): string {
  return result === "*" ? "–" : result.replaceAll("1/2", "½").replace("-", "–");
}

export function gameSummary({ summary }: Pick<RoundLine, "summary">): GameSummary | null {
  return summary && "fen" in summary ? (summary as unknown as GameSummary) : null;
}
