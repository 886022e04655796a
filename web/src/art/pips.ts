/** Where the pips of a number card lie, on a card of 100 by 140. Those below the middle stand on their heads. */
const LEFT = 36.5;
const RIGHT = 63.5;
const MIDDLE = 50;
const TOP = 25;
const both = (y: number): [number, number][] => [
  [LEFT, y],
  [RIGHT, y],
];
const mirrored = (half: [number, number][]): [number, number][] => [...half, ...half.map(([x, y]): [number, number] => [100 - x, 140 - y])];

const CENTRE: [number, number] = [MIDDLE, 70];
const SIX: [number, number][] = [...mirrored(both(TOP)), ...both(70)];
const FOUR_ROWS = mirrored([...both(TOP), ...both(55)]);

export const PIPS: Record<string, readonly [number, number][]> = {
  "2": mirrored([[MIDDLE, TOP]]),
  "3": [...mirrored([[MIDDLE, TOP]]), CENTRE],
  "4": mirrored(both(TOP)),
  "5": [...mirrored(both(TOP)), CENTRE],
  "6": SIX,
  "7": [...SIX, [MIDDLE, 47.5]],
  "8": [...SIX, ...mirrored([[MIDDLE, 47.5]])],
  "9": [...FOUR_ROWS, CENTRE],
  T: [...FOUR_ROWS, ...mirrored([[MIDDLE, 40]])],
};
