import type { RoundLine } from "../../api/types.ts";

/** What the record says of a hand to everybody. Lines that an older version has recorded say nothing. */
export interface HandSummary {
  variant: string;
  limit: string;
  blinds: [number, number];
  ante: number;
  pot: number;
  board: string[];
  /** Where there are several. */
  boards?: string[][];
  showdown: boolean;
  /** By seat, as everything that follows. */
  net: Record<string, number>;
  winners: number[];
  shown: Record<string, string[]>;
  made: Record<string, string>;
  options?: string[];
}

export function handSummary({ summary }: Pick<RoundLine, "summary">): HandSummary | null {
  return summary && "pot" in summary ? (summary as unknown as HandSummary) : null;
}

export const boardsOf = ({ board, boards }: HandSummary): string[][] => (boards?.length ? boards : [board]);
