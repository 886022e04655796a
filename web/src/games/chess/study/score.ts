/** Who stands better, from White's side: hundredths of a pawn, or moves to mate. */
export interface Score {
  kind: "cp" | "mate";
  value: number;
}

export interface EngineLine {
  score: Score;
  /** In UCI. */
  moves: string[];
}

/** '+0.35' or '#-3'. */
export function scoreText({ kind, value }: Score): string {
  if (kind === "mate") return `#${value}`;
  return `${value > 0 ? "+" : ""}${(value / 100).toFixed(2)}`;
}

/** White's share of the evaluation bar, 0 to 1. */
export function shareOf({ kind, value }: Score): number {
  if (kind === "mate") return value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.004 * value));
}
