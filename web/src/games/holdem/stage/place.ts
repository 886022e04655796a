/**
 * Where everything lies on the poker table. All points are in percent of the stage's box; all sizes in units, of which the
 * box is at least BOX wide and high, so that text and cards keep their proportions whatever the window is.
 */

export type Shape = "portrait" | "landscape";

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  w: number;
  h: number;
}

export interface SeatPlace extends Point {
  /** Which part of the table the plate stands at: cards of the far side lie below their plate. */
  far: boolean;
  bet: Point;
  button: Point;
  /** The middle of the hand while it is hidden. */
  cards: Point;
  /** The middle of the hand when it is turned over. */
  open: Point;
  /** Where words of the player are shown: the middle of the bubble's near edge. */
  words: Point;
}

export interface Sizes {
  plate: Size;
  ownPlate: Size;
  /** Whether the face stands above name and stack instead of beside them; a hand that is turned over then covers the face. */
  tall: boolean;
  /** The target of an empty seat. */
  free: number;
  /** Widths of cards: on the board, hidden, turned over, one's own. */
  board: number;
  hidden: number;
  open: number;
  own: number;
  /** How wide a hand may be, whatever the number of its cards. */
  hand: number;
  ownHand: number;
  bet: Size;
  button: number;
}

export interface Places {
  shape: Shape;
  sizes: Sizes;
  seats: Record<number, SeatPlace>;
  /** Empty seats, on the rail between their neighbours; for those who have a seat only as many as there is room for. */
  free: Record<number, Point>;
  board: Point[];
  /** The middle of the pots. */
  pot: Point;
  /** The words that say how much is in all pots and bets. */
  total: Point;
  /** Who won what: under the board the middle of the upper edge, on a wide table over the board that of the lower edge. */
  result: Point;
  /** Where cards come from and where folded ones go. */
  deck: Point;
  muck: Point;
}

/** The least width and height of the stage, in units. */
export const BOX: Record<Shape, Size> = { portrait: { w: 100, h: 130 }, landscape: { w: 160, h: 100 } };
/** How much wider or higher than that the box may become. */
export const STRETCH: Record<Shape, Size> = { portrait: { w: 118, h: 152 }, landscape: { w: 172, h: 112 } };

const CARD_RATIO = 1.4;
/** Between the feet of one's own cards and the plate. */
const CLEAR = 0.9;
/** How far the second of one's own two cards lies beside the first, in widths of a card. */
export const OWN_FAN = 0.82;
/** What an action's badge needs beyond the plate's edge. */
const BADGE = 2.4;

/** The room of one pot. */
const POT: Record<Shape, Size> = { portrait: { w: 21, h: 7.4 }, landscape: { w: 24, h: 6.6 } };

interface Layout {
  /** The rail's middle line: a box with round corners. */
  rail: Rect;
  corner: Size;
  board: { y: number; card: number; gap: number };
  pot: number;
  total: number;
  result: number;
  own: { card: number; hand: number };
}

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

const LAYOUT: Record<Shape, Layout> = {
  portrait: {
    rail: { x: 50, y: 67, w: 80, h: 108 },
    corner: { w: 40, h: 34 },
    board: { y: 58.5, card: 11.6, gap: 0.9 },
    pot: 36.6,
    total: 45.6,
    result: 67.8,
    own: { card: 15.5, hand: 42 },
  },
  landscape: {
    rail: { x: 80, y: 50, w: 130, h: 84 },
    corner: { w: 50, h: 42 },
    board: { y: 47.6, card: 13.3, gap: 0.9 },
    pot: 30.4,
    total: 36,
    result: 36.8,
    own: { card: 15.8, hand: 44 },
  },
};

/** Plates become smaller where many people sit; on a tall table they stand upright, beside the board. */
function sizesOf(shape: Shape, people: number, manyBoards: boolean): Sizes {
  const many = people > 8;
  const { board, own: one } = LAYOUT[shape];
  // Several boards reach further down, so that one's own cards cannot be as high.
  const own = manyBoards && shape === "landscape" ? { ...one, card: 12.4 } : one;
  const common = { board: board.card, own: own.card, ownHand: own.hand };
  if (shape === "portrait") {
    const plate = { w: 18.4, h: many ? 20 : 22 };
    const open = many ? 9 : 9.8;
    const bet = many ? { w: 14.5, h: 7.2 } : { w: people > 3 ? 17 : 18.8, h: 7 };
    return { ...common, plate, ownPlate: { w: 34, h: 12.4 }, tall: true, free: 14.4, hidden: many ? 6.2 : 7, open, hand: plate.w - 1, bet, button: 5.2 };
  }
  const plate = many ? { w: 26.4, h: 11 } : { w: 27, h: 11.4 };
  const bet = many ? { w: 15.6, h: 7.6 } : { w: 16.4, h: 8.2 };
  return { ...common, plate, ownPlate: { w: 28, h: 11.6 }, tall: false, free: 13.4, hidden: many ? 6.4 : 7.2, open: many ? 8.6 : 9, hand: plate.w - 4, bet, button: 4.6 };
}

/** What the game may bring. */
export interface May {
  /** Whether several boards may lie one below the other. */
  manyBoards?: boolean;
  /** Whether hands may have more than two cards. */
  manyCards?: boolean;
}

/**
 * Places people evenly around the table by how many there are, oneself at six o'clock (else the lowest seat), in the order
 * of the seats; empty seats stand between their neighbours.
 */
export function place(occupied: readonly number[], count: number, me: number | null, shape: Shape, { manyBoards = false, manyCards = false }: May = {}): Places {
  const layout = LAYOUT[shape];
  const box = BOX[shape];
  const people = [...occupied].sort((a, b) => a - b);
  const near = me ?? people[0] ?? 0;
  const order = [...people.filter((seat) => seat >= near), ...people.filter((seat) => seat < near)];
  const sizes = sizesOf(shape, order.length, manyBoards);
  const rail = railOf(layout);
  const percent = ({ x, y }: Point): Point => ({ x: round((100 * x) / box.w), y: round((100 * y) / box.h) });

  const spots = new Map<number, Point>();
  const share = new Map<number, number>();
  const board = boardOf(layout);
  const boardRect = around({ x: layout.rail.x, y: layout.board.y }, { w: 5 * layout.board.card + 4 * layout.board.gap + 1, h: layout.board.card * CARD_RATIO + 1 });
  const plateOf = (seat: number): Size => (seat === me ? sizes.ownPlate : sizes.plate);
  order.forEach((seat, index) => {
    share.set(seat, index / order.length);
    spots.set(seat, inBox(rail(index / order.length), plateOf(seat), box, boardRect));
  });
  const plates = order.map((seat) => around(spots.get(seat) as Point, { w: plateOf(seat).w, h: plateOf(seat).h + BADGE }));
  const inside = { x: box.w / 2, y: box.h / 2, w: box.w, h: box.h };
  const hands = new Map(
    order.map((seat, index) => {
      const others = [...plates.filter((_, other) => other !== index), boardRect];
      return [seat, handsOf(spots.get(seat) as Point, seat === me, manyCards, sizes, layout, others, inside)];
    }),
  );

  const pots = around({ x: layout.rail.x, y: layout.pot }, { w: (order.length > 6 ? 1 : 2) * POT[shape].w, h: POT[shape].h });
  const total = around({ x: layout.rail.x, y: layout.total }, { w: 32, h: 4.6 });

  // What stays where it is comes first; bets, the button and empty seats take the nearest room that is left.
  const middle = manyBoards ? rowsRect(shape) : boardRect;
  const taken = [...plates, middle, pots, total, ...[...hands.values()].map(({ hidden }) => hidden)];
  const seats: Record<number, SeatPlace> = {};
  const bets = new Map<number, Point>();
  // One's own first, between the large cards and the neighbours, then the far side: they have the least room.
  const height = (seat: number) => (seat === me && shape === "landscape" ? -1 : (spots.get(seat) as Point).y);
  for (const seat of [...order].sort((a, b) => height(a) - height(b))) {
    const spot = spots.get(seat) as Point;
    const ideal = seat === me && shape === "landscape" ? besideHand(spot, hands.get(seat) as Hands, sizes) : beside(spot, plateOf(seat), layout, sizes.bet);
    const bet = nearest(ideal, sizes.bet, taken, inside) ?? ideal;
    taken.push(around(bet, sizes.bet));
    bets.set(seat, bet);
  }
  const shown = [...taken, ...[...hands.values()].map(({ turned }) => turned)];
  for (const seat of order) {
    const spot = spots.get(seat) as Point;
    const hand = hands.get(seat) as Hands;
    const disc = { w: sizes.button, h: sizes.button };
    const corner = discFor(spot, plateOf(seat), sizes.button, layout, hand);
    const button = nearest(corner, disc, shown, inside) ?? corner;
    const far = isFar(spot, layout);
    seats[seat] = {
      ...percent(spot),
      far,
      bet: percent(bets.get(seat) as Point),
      button: percent(button),
      cards: percent(hand.hidden),
      open: percent(hand.turned),
      words: percent({ x: spot.x, y: far ? spot.y + plateOf(seat).h / 2 : spot.y - plateOf(seat).h / 2 }),
    };
  }

  const free: Record<number, Point> = {};
  const target = { w: sizes.free, h: sizes.free };
  const cloth = around(layout.rail, { w: layout.rail.w - sizes.free - 6, h: layout.rail.h - sizes.free - 6 });
  const kept = [...plates, cloth, ...[...hands.values()].map(({ turned }) => turned)];
  const onCloth = [...shown];
  for (const [seat, at] of between(people, count, share, me !== null)) {
    // Where the rail is crowded, an empty seat lies on the cloth; those who have a seat need not see it.
    const spot = nearest(rail(at), target, kept, inside, 14) ?? (me === null ? nearest(rail(at), target, onCloth, inside) : null);
    if (!spot) continue;
    for (const list of [kept, onCloth]) list.push(around(spot, target));
    free[seat] = percent(spot);
  }

  return {
    shape,
    sizes,
    seats,
    free,
    board: board.map(percent),
    pot: percent({ x: layout.rail.x, y: layout.pot }),
    total: percent({ x: layout.rail.x, y: layout.total }),
    result: percent({ x: layout.rail.x, y: layout.result }),
    deck: percent({ x: layout.rail.x, y: layout.pot - 4 }),
    muck: percent({ x: layout.rail.x, y: layout.pot }),
  };
}

/** The room of several boards, one below the other: it reaches further down than one board. */
const ROWS: Record<Shape, { top: number; height: number; widest: number }> = {
  portrait: { top: 49, height: 30, widest: 10.2 },
  landscape: { top: 38.8, height: 26.4, widest: 9.2 },
};
const ROW_GAP = 1;

function rowsRect(shape: Shape): Rect {
  const { top, height, widest } = ROWS[shape];
  return around({ x: LAYOUT[shape].rail.x, y: top + height / 2 }, { w: 5 * widest + 5, h: height });
}

/** Who won what, where several boards lie: the middle of the lower edge. */
export function overRows(shape: Shape): Point {
  const { w, h } = BOX[shape];
  return { x: round((100 * LAYOUT[shape].rail.x) / w), y: round((100 * (ROWS[shape].top - ROW_GAP)) / h) };
}

/** Several boards: where the cards of each lie, and how wide they are, in units. */
export function boardRows(shape: Shape, rows: number): { card: number; points: Point[][] } {
  const { top, height, widest } = ROWS[shape];
  const box = BOX[shape];
  const down = (height - ROW_GAP * (rows - 1)) / rows;
  const card = Math.min(widest, down / CARD_RATIO);
  const points = Array.from({ length: rows }, (_, row) =>
    [0, 1, 2, 3, 4].map((index) => {
      const x = LAYOUT[shape].rail.x + (index - 2) * (card + 0.9);
      const y = top + row * (down + ROW_GAP) + down / 2;
      return { x: round((100 * x) / box.w), y: round((100 * y) / box.h) };
    }),
  );
  return { card: round(card), points };
}

/** Where the pots lie, by how many there are: side by side, in rows. */
export function potPoints(shape: Shape, count: number): Point[] {
  const { pot, rail } = LAYOUT[shape];
  const box = BOX[shape];
  const across = POT[shape].w;
  const down = count > 6 ? 5.4 : POT[shape].h;
  const most = shape === "portrait" ? 3 : 5;
  const rows = Math.ceil(count / most);
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / most);
    const inRow = Math.min(most, count - most * row);
    const x = rail.x + ((index % most) - (inRow - 1) / 2) * across;
    const y = pot + (row - (rows - 1) / 2) * down;
    return { x: round((100 * x) / box.w), y: round((100 * y) / box.h) };
  });
}

/**
 * The empty seats with their places on the rail: equal steps between the people on either side. For somebody who has a seat
 * they are only a way to invite: then as many lie between any two people, whoever's neighbours they are.
 */
function between(people: readonly number[], count: number, share: ReadonlyMap<number, number>, evenly: boolean): [number, number][] {
  const found: [number, number][] = [];
  if (!people.length) return Array.from({ length: count }, (_, seat) => [seat, seat / count]);
  if (evenly) {
    const empty = Array.from({ length: count }, (_, seat) => seat).filter((seat) => !share.has(seat));
    const first = (index: number) => Math.round((empty.length * index) / people.length);
    for (let index = 0; index < people.length; index++) {
      const here = empty.slice(first(index), first(index + 1));
      here.forEach((seat, step) => found.push([seat, (index + (step + 1) / (here.length + 1)) / people.length]));
    }
    return found;
  }
  people.forEach((seat, index) => {
    const next = people[(index + 1) % people.length] as number;
    const gap = (next - seat + count - 1) % count;
    const from = share.get(seat) as number;
    for (let step = 1; step <= gap; step++) {
      found.push([(seat + step) % count, (from + step / ((gap + 1) * people.length)) % 1]);
    }
  });
  return found;
}

/** A point of the rail: 0 at six o'clock, then clockwise, by the length of the way. */
function railOf({ rail, corner }: Layout): (share: number) => Point {
  const points: Point[] = [];
  const [right, bottom] = [rail.w / 2, rail.h / 2];
  const [flat, tall] = [right - corner.w, bottom - corner.h];
  // Four corners from the lower left on; the straight sides lie between them.
  const corners = [
    [-flat, tall, 90],
    [-flat, -tall, 180],
    [flat, -tall, 270],
    [flat, tall, 360],
  ] as const;
  points.push({ x: rail.x, y: rail.y + bottom });
  for (const [x, y, start] of corners) {
    for (let step = 0; step <= 90; step += 3) {
      const angle = ((start + step) * Math.PI) / 180;
      points.push({ x: rail.x + x + corner.w * Math.cos(angle), y: rail.y + y + corner.h * Math.sin(angle) });
    }
  }
  points.push({ x: rail.x, y: rail.y + bottom });
  const ways = [0];
  for (let i = 1; i < points.length; i++) ways.push((ways[i - 1] as number) + distance(points[i - 1] as Point, points[i] as Point));
  const whole = ways.at(-1) as number;
  return (share) => {
    const way = share * whole;
    const after = Math.max(1, ways.findIndex((one) => one >= way));
    const [a, b] = [points[after - 1] as Point, points[after] as Point];
    const [from, to] = [ways[after - 1] as number, ways[after] as number];
    const part = to > from ? (way - from) / (to - from) : 0;
    return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
  };
}

/** A place on the rail, moved so that the plate is inside of the box and beside the board. */
function inBox({ x, y }: Point, plate: Size, box: Size, board: Rect): Point {
  const across = plate.w / 2 + 0.4;
  // On a tall table a hand that is turned over reaches over the plate, and its winners are lifted.
  const [top, bottom] = [plate.h / 2 + (box.h > box.w ? 2.6 : 1.2), box.h - plate.h / 2 - 1.6 * BADGE];
  const spot = { x: Math.min(Math.max(x, across), box.w - across), y: Math.min(Math.max(y, top), bottom) };
  const level = Math.abs(y - board.y) < (plate.h + board.h) / 2 + 4;
  return level ? { x: x < board.x ? across : box.w - across, y: spot.y } : spot;
}

interface Hands {
  hidden: Rect;
  turned: Rect;
}

/** The cards of a seat: half behind the plate while hidden, clear of it when turned over, so that no index is covered. */
function handsOf(spot: Point, own: boolean, manyCards: boolean, sizes: Sizes, layout: Layout, taken: readonly Rect[], inside: Rect): Hands {
  if (own) {
    const high = sizes.own * CARD_RATIO;
    const middle = { x: spot.x, y: spot.y - sizes.ownPlate.h / 2 - high / 2 - CLEAR };
    return { hidden: around(middle, { w: manyCards ? sizes.ownHand + 1 : sizes.own * (1 + OWN_FAN) + 1, h: high }), turned: around(middle, { w: sizes.ownHand, h: high }) };
  }
  const [hidden, turned] = [sizes.hidden, sizes.open].map((card) => ({ w: card * 1.7, h: card * CARD_RATIO })) as [Size, Size];
  if (sizes.tall) {
    const inner = spot.x > layout.rail.x + 1 ? -1 : 1;
    const shoulder = { x: spot.x + inner * sizes.plate.w * 0.32, y: spot.y - sizes.plate.h / 2 + hidden.h / 2 };
    const face = { x: spot.x, y: spot.y - sizes.plate.h / 2 + turned.h / 2 - 1.9 };
    return { hidden: around(nearest(shoulder, hidden, taken, inside) ?? shoulder, hidden), turned: around(face, turned) };
  }
  const far = isFar(spot, layout);
  const lying = (size: Size, overlap: number): Rect => {
    const away = sizes.plate.h / 2 + size.h / 2 - overlap;
    return around({ x: spot.x, y: far ? spot.y + away : spot.y - away }, size);
  };
  return { hidden: lying(hidden, hidden.h * 0.5), turned: lying(turned, far ? -0.5 : turned.h * 0.3) };
}

function isFar(spot: Point, { rail }: Layout): boolean {
  return spot.y < rail.y - rail.h * 0.34;
}

function boardOf({ rail, board }: Layout): Point[] {
  return Array.from({ length: 5 }, (_, index) => ({ x: rail.x + (index - 2) * (board.card + board.gap), y: board.y }));
}

/** Where a bet would lie best: before the plate, towards the middle of the table. */
function beside(spot: Point, plate: Size, { rail, board }: Layout, bet: Size): Point {
  const [dx, dy] = [rail.x - spot.x, board.y - spot.y];
  const [across, down] = [(plate.w + bet.w) / 2 + 1, (plate.h + bet.h) / 2 + 5];
  // The way to the middle leaves the plate at its side or at its upper or lower edge.
  const out = Math.min(across / Math.max(Math.abs(dx), 0.01), down / Math.max(Math.abs(dy), 0.01));
  return { x: spot.x + dx * out, y: spot.y + dy * out };
}

/** Where one's own bet would lie best on a wide table: there is no room between one's own cards and the board. */
function besideHand(spot: Point, { hidden }: Hands, { bet, ownPlate }: Sizes): Point {
  return { x: hidden.x + (hidden.w + bet.w) / 2, y: spot.y - (ownPlate.h + bet.h) / 2 + 2 };
}

/** Where the dealer's disc would lie best: on the cloth at the corner of the plate. */
function discFor(spot: Point, plate: Size, disc: number, { rail }: Layout, { turned }: Hands): Point {
  const middle = Math.abs(spot.x - rail.x) < plate.w / 2;
  const x = middle ? spot.x + turned.w / 2 + disc : spot.x + Math.sign(rail.x - spot.x) * (plate.w / 2 + disc / 2 + 0.6);
  const down = middle ? plate.h / 2 + disc / 2 + 1 : plate.h / 2 - disc / 2;
  return { x, y: spot.y < rail.y ? spot.y + down : spot.y - down };
}

/** The nearest place to the ideal one at which a thing of this size meets nothing that is there already. */
function nearest(ideal: Point, size: Size, taken: readonly Rect[], inside: Rect, reach = 60): Point | null {
  for (let radius = 0; radius < reach; radius += 0.75) {
    const steps = radius ? 24 : 1;
    for (let step = 0; step < steps; step++) {
      const angle = (step * 2 * Math.PI) / steps;
      const spot = { x: ideal.x + radius * Math.cos(angle), y: ideal.y + radius * Math.sin(angle) };
      const rect = around(spot, size);
      if (within(rect, inside) && !taken.some((other) => meet(rect, other))) return spot;
    }
  }
  return null;
}

const around = ({ x, y }: Point, { w, h }: Size): Rect => ({ x, y, w, h });
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
const round = (value: number): number => Math.round(value * 100) / 100;

function meet(a: Rect, b: Rect): boolean {
  return Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;
}

function within(a: Rect, box: Rect): boolean {
  return Math.abs(a.x - box.x) <= (box.w - a.w) / 2 && Math.abs(a.y - box.y) <= (box.h - a.h) / 2;
}
