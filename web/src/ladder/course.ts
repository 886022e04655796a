import type { LadderEntrant } from "../api/wire.ts";

/** What a chart shows of one entrant among all: each place is the end of a match of anybody. */
export interface Course {
  places: readonly number[];
  rating: readonly number[];
  spread: readonly number[];
  /** The ratings of the others, from the place on at which each is known. */
  others: readonly { id: string; from: number; rating: readonly number[] }[];
}

const MOST_PLACES = 120;

export function courseOf(entrants: readonly LadderEntrant[], chosen: LadderEntrant): Course {
  const began = chosen.history[0]?.at ?? Infinity;
  const ends = new Set(entrants.flatMap(({ history }) => history.map(({ at }) => at)));
  const places = [...ends].filter((at) => at >= began).sort((a, b) => a - b).slice(-MOST_PLACES);
  const own = known(chosen, places);
  return {
    places,
    rating: own.map(({ rating }) => Math.round(rating)),
    spread: own.map(({ deviation }) => Math.round(2 * deviation)),
    others: entrants
      .filter(({ id, history }) => id !== chosen.id && history.length > 0)
      .map((entrant) => {
        const points = known(entrant, places);
        return { id: entrant.id, from: places.length - points.length, rating: points.map(({ rating }) => rating) };
      }),
  };
}

/** The rating that was in force at each place, from the first one on at which it is known. */
function known({ history }: LadderEntrant, places: readonly number[]): LadderEntrant["history"] {
  let at = -1;
  return places.flatMap((place) => {
    while ((history[at + 1]?.at ?? Infinity) <= place) at += 1;
    const point = history[at];
    return point ? [point] : [];
  });
}
