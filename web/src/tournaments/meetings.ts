/** Who met whom, read from the rounds. */
import type { Pairing, RoundPairings } from "./types.ts";

/** What one entry has of one pairing. */
export interface Meeting {
  round: number;
  opponent: number | null;
  colour: "white" | "black" | null;
  /** 1, ½ or 0; null while it is played. */
  points: number | null;
  /** Whether nobody moved: a bye or a forfeit. */
  unplayed: boolean;
  table: string | null;
}

const POINTS: Record<string, readonly [white: number, black: number]> = {
  "1-0": [1, 0],
  "0-1": [0, 1],
  "1/2-1/2": [0.5, 0.5],
  "+--": [1, 0],
  "--+": [0, 1],
  "---": [0, 0],
  bye: [1, 1],
  "half-bye": [0.5, 0.5],
};

const UNPLAYED = new Set(["+--", "--+", "---", "bye", "half-bye"]);

/** What each side has of a pairing; null while it is played. */
export function pointsOf({ result }: Pairing): readonly [white: number, black: number] | null {
  return result === null ? null : (POINTS[result] ?? null);
}

/** The meetings of every entry, in the order of the rounds. */
export function meetings(rounds: readonly RoundPairings[]): Map<number, Meeting[]> {
  const found = new Map<number, Meeting[]>();
  const add = (entry: number | null, meeting: Meeting) => {
    if (entry === null) return;
    const known = found.get(entry);
    if (known) known.push(meeting);
    else found.set(entry, [meeting]);
  };
  for (const { number: round, pairings } of rounds) {
    for (const pairing of pairings) {
      const { white, black, table, result } = pairing;
      const points = pointsOf(pairing);
      const unplayed = result !== null && UNPLAYED.has(result);
      const colours = white !== null && black !== null;
      add(white, { round, opponent: black, colour: colours ? "white" : null, points: points?.[0] ?? null, unplayed, table });
      add(black, { round, opponent: white, colour: colours ? "black" : null, points: points?.[1] ?? null, unplayed, table });
    }
  }
  return found;
}

/** '1', '½', '0', '2½'. */
export function half(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}
