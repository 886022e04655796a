import assert from "node:assert/strict";
import { test } from "node:test";
import { BOX, OWN_FAN, STRETCH, boardRows, place, potPoints, type Places, type Point, type Shape, type Size } from "../src/games/holdem/stage/place.ts";

/** The stage's box in pixels, as it is in windows from 320 × 568 to 2560 × 1300. */
const BOXES: [Shape, number, number][] = [
  ["portrait", 320, 366],
  ["portrait", 320, 438],
  ["portrait", 360, 538],
  ["portrait", 412, 620],
  ["portrait", 735, 810],
  ["landscape", 490, 308],
  ["landscape", 944, 590],
  ["landscape", 1744, 1090],
];

interface Thing extends Point, Size {
  name: string;
}

/** Everything of a table, in pixels, for one box. */
function things(places: Places, me: number | null, width: number, height: number) {
  const { sizes } = places;
  const box = BOX[places.shape];
  const unit = Math.min(width / box.w, height / box.h);
  const at = (name: string, point: Point, size: Size): Thing => ({
    name,
    x: (point.x * width) / 100,
    y: (point.y * height) / 100,
    w: size.w * unit,
    h: size.h * unit,
  });
  const square = (side: number): Size => ({ w: side, h: side });
  const seats = Object.entries(places.seats);
  return {
    plates: seats.map(([seat, one]) => at(`plate ${seat}`, one, Number(seat) === me ? sizes.ownPlate : sizes.plate)),
    open: seats.map(([seat, one]) => {
      const own = Number(seat) === me;
      return at(`hand ${seat}`, one.open, own ? { w: 2 * sizes.own, h: 1.4 * sizes.own } : { w: 1.6 * sizes.open, h: 1.3 * sizes.open });
    }),
    // Before they are turned over; one's own lie open.
    backs: seats.map(([seat, one]) => (Number(seat) === me ? at(`hand ${seat}`, one.open, { w: (1 + OWN_FAN) * sizes.own, h: 1.4 * sizes.own }) : at(`hand ${seat}`, one.cards, { w: 1.7 * sizes.hidden, h: 1.4 * sizes.hidden }))),
    // Omaha: up to six cards, as wide as a hand may be.
    own: seats.filter(([seat]) => Number(seat) === me).map(([seat, one]) => at(`own hand ${seat}`, one.open, { w: sizes.ownHand - 1, h: 1.4 * sizes.own - 1 })),
    bets: seats.map(([seat, one]) => at(`bet ${seat}`, one.bet, { w: sizes.bet.w - 1, h: sizes.bet.h - 1 })),
    discs: seats.map(([seat, one]) => at(`button ${seat}`, one.button, square(sizes.button - 1))),
    free: Object.entries(places.free).map(([seat, point]) => at(`free ${seat}`, point, square(40 / unit))),
    board: places.board.map((point, index) => at(`board ${index}`, point, { w: sizes.board, h: sizes.board * 1.4 })),
  };
}

function meet(a: Thing, b: Thing): boolean {
  return Math.abs(a.x - b.x) < (a.w + b.w) / 2 - 0.5 && Math.abs(a.y - b.y) < (a.h + b.h) / 2 - 0.5;
}

function apart(what: string, one: Thing[], other: Thing[]): void {
  for (const a of one) for (const b of other) if (a.name < b.name || one !== other) assert.ok(!meet(a, b), `${what}: ${a.name} meets ${b.name}`);
}

function tables(): [string, number[], number, number | null][] {
  const found: [string, number[], number, number | null][] = [];
  for (let people = 1; people <= 10; people++) {
    const first = Array.from({ length: people }, (_, seat) => seat);
    for (const count of new Set([Math.max(2, people), Math.max(people, 6), Math.max(people, 9), 10])) {
      found.push([`${people} of ${count}`, first, count, 0]);
      found.push([`${people} of ${count}, watched`, first, count, null]);
      const spread = first.map((seat) => Math.floor((seat * count) / people));
      found.push([`${people} spread over ${count}`, spread, count, spread.at(-1) as number]);
    }
  }
  return found;
}

for (const [shape, width, height] of BOXES) {
  test(`nobody sits on anybody at ${width} × ${height}`, () => {
    for (const [name, people, count, me] of tables()) {
      const here = things(place(people, count, me, shape), me, width, height);
      const solid = [...here.plates, ...here.board];
      apart(name, here.plates, here.plates);
      apart(name, here.plates, here.board);
      apart(name, here.board, here.board);
      apart(name, here.open, here.board);
      for (const hand of here.open) {
        const seat = hand.name.slice(5);
        apart(name, [hand], here.plates.filter((plate) => plate.name !== `plate ${seat}`));
        apart(name, [hand], here.open.filter((other) => other !== hand));
      }
      apart(name, here.bets, solid);
      apart(name, here.bets, here.bets);
      apart(name, here.discs, here.board);
      apart(name, here.discs, here.plates);
      apart(name, here.discs, here.own);
      apart(name, here.free, solid);
      apart(name, here.free, here.free);
      if (me === null) assert.equal(here.free.length, count - people.length, `${name}: every empty seat can be taken`);
      for (const one of Object.values(here).flat()) {
        assert.ok(one.x - one.w / 2 > -1 && one.x + one.w / 2 < width + 1, `${name}: ${one.name} sticks out at the side`);
        assert.ok(one.y - one.h / 2 > -1 && one.y + one.h / 2 < height + 1, `${name}: ${one.name} sticks out above or below`);
      }
    }
  });
}

test("oneself sits at six o'clock, else the lowest seat, and the others follow clockwise", () => {
  for (const shape of ["portrait", "landscape"] as const) {
    const mine = place([1, 4, 6, 8], 9, 6, shape);
    assert.equal(mine.seats[6]?.x, 50);
    for (const [seat, one] of Object.entries(mine.seats)) if (seat !== "6") assert.ok(one.y < (mine.seats[6]?.y ?? 0));
    assert.ok((mine.seats[8]?.x ?? 0) < 50);
    assert.ok((mine.seats[4]?.x ?? 0) > 50);
    assert.ok(Math.abs((mine.seats[1]?.x ?? 0) - 50) < 0.1);
    assert.equal(place([3, 5], 9, null, shape).seats[3]?.x, 50);
  }
});

test("an empty seat lies between its neighbours, and every seat has a place", () => {
  const places = place([0, 3], 6, null, "landscape");
  assert.deepEqual(Object.keys(places.free), ["1", "2", "4", "5"]);
  for (const seat of [1, 2]) assert.ok((places.free[seat]?.x ?? 0) < 50);
  for (const seat of [4, 5]) assert.ok((places.free[seat]?.x ?? 0) > 50);
  assert.equal(Object.keys(place([], 9, null, "portrait").free).length, 9);
});

test("for somebody who has a seat the empty ones lie on all sides", () => {
  for (const shape of ["portrait", "landscape"] as const) {
    const free = Object.values(place([0, 1], 9, 0, shape).free);
    const left = free.filter(({ x }) => x < 50).length;
    assert.ok(Math.abs(free.length - 2 * left) <= 1, `${shape}: ${left} of ${free.length} on the left`);
  }
});

test("one's own cards stand clear of the plate, and bets of the widest hand", () => {
  for (const shape of ["portrait", "landscape"] as const) {
    const { h, w } = BOX[shape];
    const here = place([0, 1, 2, 3, 4, 5], 6, 0, shape, { manyCards: true });
    const { own, ownHand, ownPlate, bet } = here.sizes;
    const [hand, plate] = [here.seats[0]?.open as Point, here.seats[0] as Point];
    assert.ok((hand.y * h) / 100 + 0.7 * own < (plate.y * h) / 100 - ownPlate.h / 2);
    const across = Math.abs(((here.seats[0]?.bet.x ?? 0) - hand.x) * w) / 100 - (ownHand + bet.w) / 2;
    const down = Math.abs(((here.seats[0]?.bet.y ?? 0) - hand.y) * h) / 100 - (1.4 * own + bet.h) / 2;
    assert.ok(Math.max(across, down) > 0, `${shape}: the bet lies under the fourth card`);
  }
});

test("several boards lie clear of one's own cards", () => {
  for (const shape of ["portrait", "landscape"] as const) {
    const { h } = BOX[shape];
    const here = place([0, 1, 2], 6, 0, shape, { manyBoards: true });
    for (const rows of [2, 3]) {
      const { card, points } = boardRows(shape, rows);
      const lowest = ((points.at(-1)?.[0]?.y ?? 0) * h) / 100 + 0.7 * card;
      assert.ok(lowest + 0.4 < ((here.seats[0]?.open.y ?? 0) * h) / 100 - 0.7 * here.sizes.own, `${shape}: board ${rows}`);
    }
  }
});

test("a bet lies nearer to its own plate or cards than to any other plate, up to eight people", () => {
  for (const shape of ["portrait", "landscape"] as const) {
    for (let people = 2; people <= 8; people++) {
      const { w, h } = BOX[shape];
      const here = things(place(Array.from({ length: people }, (_, seat) => seat), people, 0, shape), 0, w, h);
      for (const bet of here.bets) {
        const gap = (one: Thing) => Math.hypot(Math.max(0, Math.abs(one.x - bet.x) - (one.w + bet.w) / 2), Math.max(0, Math.abs(one.y - bet.y) - (one.h + bet.h) / 2));
        const seat = bet.name.slice(4);
        const own = Math.min(...[...here.plates, ...here.backs].filter(({ name }) => name.endsWith(` ${seat}`)).map(gap));
        for (const plate of here.plates) assert.ok(own <= gap(plate), `${shape}, ${people} people: the bet of ${seat} is nearer to ${plate.name}`);
      }
    }
  }
});

test("pots lie side by side in the middle", () => {
  for (const shape of ["portrait", "landscape"] as const) {
    assert.equal(potPoints(shape, 1)[0]?.x, 50);
    for (let count = 1; count <= 9; count++) {
      const points = potPoints(shape, count);
      assert.equal(new Set(points.map(({ x, y }) => `${x} ${y}`)).size, count);
      for (const { x, y } of points) assert.ok(x > 18 && x < 82 && y > 15 && y < 40);
    }
  }
});

test("the boxes of this test are those that the stage may have", () => {
  for (const [shape, width, height] of BOXES) {
    const unit = Math.min(width / BOX[shape].w, height / BOX[shape].h);
    assert.ok(width / unit <= STRETCH[shape].w + 0.5, `${width} × ${height} is too wide`);
    assert.ok(height / unit <= STRETCH[shape].h + 0.5, `${width} × ${height} is too high`);
  }
});
