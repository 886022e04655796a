/** Who met whom, read from the rounds. */
import type { Pairing, RoundPairings, TournamentView } from "./types.ts";

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

/** A round in which somebody has no opponent. */
export interface Bye {
  round: number;
  points: number;
  /** The round after it; null where it was the last. */
  next: number | null;
}

type WithRounds = Pick<TournamentView, "rounds" | "rounds_planned" | "format" | "settings" | "status">;

/** The bye that an entry has in the round that is played now. */
export function byeOf(view: WithRounds, entry: number | null): Bye | null {
  const last = view.rounds.at(-1);
  if (!last || entry === null || view.status === "finished" || view.format === "arena" || view.format === "knockout") return null;
  const own = last.pairings.find(({ white, black }) => (white === entry && black === null) || (black === entry && white === null));
  if (!own) return null;
  // The free round of an odd number gives nothing in a round robin.
  const points = view.format === "round_robin" ? 0 : own.result === "half-bye" ? 0.5 : Number(view.settings.bye_points ?? 1);
  return { round: last.number, points, next: last.number < (view.rounds_planned ?? Infinity) ? last.number + 1 : null };
}

/** '1', '½', '0', '2½'. */
export function half(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}
