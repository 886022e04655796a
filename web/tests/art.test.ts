import assert from "node:assert/strict";
import { test } from "node:test";
import { drawFace, faceName, FACES, pictureOf } from "../src/art/faces.ts";
import { PEOPLE } from "../src/art/people.ts";
import { pilesOf } from "../src/art/piles.ts";
import { PIPS } from "../src/art/pips.ts";
import { RANKS } from "../src/art/ranks.ts";

const person = { id: "8f3c", name: "Ada", avatar: null, bot: false };

test("there are dozens of faces, no two alike", () => {
  assert.ok(FACES >= 40);
  const drawn = new Set(Array.from({ length: FACES }, (_, n) => JSON.stringify(drawFace(n))));
  assert.equal(drawn.size, FACES);
  const shapes = new Set(PEOPLE.map((code) => code[1] + code.slice(3, 8)));
  assert.ok(shapes.size >= 40, "not by their colours alone");
  for (let n = 0; n < FACES; n++) assert.ok(!JSON.stringify(drawFace(n)).includes("undefined"), faceName(n));
});

test("a stored face stays what it was", () => {
  // Whoever chose one of these finds it again: new faces go to the end of the list.
  assert.deepEqual([PEOPLE[0], PEOPLE[17], PEOPLE[47]], ["107232240", "0i9140112", "286240075"]);
  assert.deepEqual(pictureOf({ ...person, avatar: faceName(17) }), drawFace(17));
});

test("who chose no face has one of their own, always the same", () => {
  assert.deepEqual(pictureOf(person), pictureOf({ ...person, name: "Another name" }));
  const faces = new Set(Array.from({ length: 200 }, (_, n) => JSON.stringify(pictureOf({ ...person, id: `id-${n}` }))));
  assert.ok(faces.size > 195, `${faces.size} of 200 people differ`);
});

test("an older sign is still shown; a code never is", () => {
  assert.deepEqual(pictureOf({ ...person, avatar: "🦊" }), { sign: "🦊" });
  for (const avatar of ["face:3", "face:99999999999", "7", "face:", "face:x"]) assert.ok("svg" in pictureOf({ ...person, avatar }), avatar);
});

test("a program is a robot, whatever it chose, with looks of its own", () => {
  const people = new Set(Array.from({ length: FACES }, (_, n) => JSON.stringify(drawFace(n))));
  const names = ["Dexter", "Bruno", "Mika", "Olga", "Iris", "Otto", "Nora", "Rex"];
  const robots = new Set(names.map((name) => JSON.stringify(pictureOf({ id: "x", name, avatar: faceName(1), bot: true }))));
  assert.ok(robots.size >= 7);
  for (const robot of robots) assert.ok(!people.has(robot));
});

test("piles of chips add up to the amount, or say that they are a picture of it", () => {
  const amounts = [0, 1, 4, 5, 28, 99, 188, 999, 1240, 4999, 98_765_432, 2_000_000_000, ...Array.from({ length: 5000 }, (_, n) => n * 7 + 3)];
  let pictures = 0;
  for (const amount of amounts) {
    const { piles, exact } = pilesOf(amount);
    const chips = piles.flat();
    const sum = chips.reduce<number>((total, value) => total + value, 0);
    assert.ok(piles.length <= 3 && piles.every((pile) => pile.length > 0 && pile.length <= 6), `${amount}`);
    assert.deepEqual(chips, [...chips].sort((a, b) => b - a), `${amount}: the larger ones first`);
    assert.equal(exact, sum === amount, `${amount}`);
    if (!exact) {
      pictures += 1;
      assert.ok(sum < amount && chips.length === 18, `${amount} shown as ${sum}`);
    }
  }
  assert.ok(pictures > 0 && pictures < amounts.length / 4, `${pictures} pictures`);
});

test("a number card has as many pips as it says, and looks the same turned round", () => {
  for (const [rank, pips] of Object.entries(PIPS)) {
    assert.equal(pips.length, rank === "T" ? 10 : Number(rank));
    const places = new Set(pips.map(([x, y]) => `${x} ${y}`));
    assert.equal(places.size, pips.length);
    if (rank !== "7") for (const [x, y] of pips) assert.ok(places.has(`${100 - x} ${140 - y}`), rank);
  }
  assert.deepEqual(Object.keys(RANKS).sort(), Array.from("23456789AJKQT"));
});
