/** Which chips show an amount. */
export const VALUES = [1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 1_000_000, 5_000_000, 25_000_000, 100_000_000] as const;
export type Value = (typeof VALUES)[number];

const MOST_IN_A_PILE = 6;
const MOST_PILES = 3;

export interface Piles {
  /** From the left, each from the bottom: the larger chips first. */
  piles: Value[][];
  /** Whether the chips add up to the amount; otherwise they are a picture of it, and never more than it. */
  exact: boolean;
}

/** The amount in the fewest chips, in so many piles of so many at most; what would need more is left out from the small end. */
export function pilesOf(amount: number, mostPiles = MOST_PILES, mostInAPile = MOST_IN_A_PILE): Piles {
  const most = mostInAPile * mostPiles;
  const chips: Value[] = [];
  let left = Math.max(0, Math.floor(amount));
  for (const value of [...VALUES].reverse()) {
    while (left >= value && chips.length < most) {
      chips.push(value);
      left -= value;
    }
  }
  const count = Math.ceil(chips.length / mostInAPile);
  const height = Math.ceil(chips.length / Math.max(1, count));
  return { piles: Array.from({ length: count }, (_, pile) => chips.slice(pile * height, (pile + 1) * height)), exact: left === 0 };
}
