/** A knock-out as a tree, read from its rounds. */
import { pointsOf } from "./meetings.ts";
import type { Pairing, RoundPairings } from "./types.ts";

/** Two entries against each other, over one game or several. */
export interface Match {
  sides: readonly [number | null, number | null];
  score: readonly [number, number];
  /** Every game, in the order played. */
  games: Pairing[];
  /** Who goes on; null while that is open. */
  winner: number | null;
  bye: boolean;
}

const EMPTY: Match = { sides: [null, null], score: [0, 0], games: [], winner: null, bye: false };

/** The matches of one round, in the order of their boards. Further games of the same two belong to their match. */
function matchesOf({ pairings }: RoundPairings, going: ReadonlySet<number> | null): Match[] {
  const byPair = new Map<string, Pairing[]>();
  for (const pairing of pairings) {
    const pair = [pairing.white, pairing.black].map((entry) => entry ?? 0).toSorted((one, two) => one - two).join();
    byPair.set(pair, [...(byPair.get(pair) ?? []), pairing]);
  }
  return [...byPair.values()].map((games) => {
    const [first] = games;
    const sides = [first?.white ?? null, first?.black ?? null] as const;
    const score: [number, number] = [0, 0];
    let open = false;
    for (const game of games) {
      const points = pointsOf(game);
      if (!points) open = true;
      const [one, two] = points ?? [0, 0];
      const swapped = game.white !== sides[0];
      score[0] += swapped ? two : one;
      score[1] += swapped ? one : two;
    }
    const bye = sides[0] === null || sides[1] === null;
    const present = sides[0] ?? sides[1];
    const through = going ? sides.find((side) => side !== null && going.has(side)) : undefined;
    const ahead = open || score[0] === score[1] ? null : score[0] > score[1] ? sides[0] : sides[1];
    return { sides, score, games, winner: bye ? present : (through ?? (going ? null : ahead)), bye };
  });
}

const playersIn = (matches: readonly Match[]): Set<number> => new Set(matches.flatMap(({ sides }) => sides.filter((side) => side !== null)));

/**
 * The rounds as columns of a tree, with the rounds still to come: the matches that lead to the match in place `n` of the next
 * column stand in places `2n` and `2n + 1`. The `champion` is known where the tournament is over: a last game may be drawn.
 */
export function bracket(rounds: readonly RoundPairings[], champion: number | null = null): Match[][] {
  if (!rounds.length) return [];
  const columns: Match[][] = [];
  for (let at = rounds.length - 1; at >= 0; at--) {
    const round = rounds[at];
    if (!round) continue;
    const next = columns[0];
    const matches = matchesOf(round, next ? playersIn(next) : champion === null ? null : new Set([champion]));
    columns.unshift(next ? leadingTo(next, matches) : matches);
  }
  for (let size = columns.at(-1)?.length ?? 1; size > 1; ) {
    const before = columns.at(-1) ?? [];
    size = Math.ceil(size / 2);
    columns.push(Array.from({ length: size }, (_, n) => ({ ...EMPTY, sides: [before[2 * n]?.winner ?? null, before[2 * n + 1]?.winner ?? null] })));
  }
  return columns;
}

/** The matches of a round in the order of those they lead to. */
function leadingTo(next: readonly Match[], matches: readonly Match[]): Match[] {
  const left = new Set(matches);
  const ordered = next.flatMap(({ sides }) =>
    sides.map((side) => {
      const from = side === null ? undefined : matches.find((match) => match.sides.includes(side));
      if (from) left.delete(from);
      return from ?? EMPTY;
    }),
  );
  return [...ordered, ...left];
}
