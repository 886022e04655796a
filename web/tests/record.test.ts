import assert from "node:assert/strict";
import { test } from "node:test";
import { handsIn, looksLikePgn } from "../src/history/fileKind.ts";
import { askedFor, readFilters, writeFilters } from "../src/history/filters.ts";
import { height, ticks } from "../src/ui/chart/scale.ts";

test("the marks of a chart are round, evenly spaced, and enclose every value", () => {
  assert.deepEqual(ticks([0, 2400], true), [0, 1000, 2000, 3000]);
  assert.deepEqual(ticks([1480, 1523], false), [1480, 1500, 1520, 1540]);
  assert.deepEqual(ticks([], true), [-0.25, 0, 0.25]);
  for (const values of [[-7, 3], [0.001, 0.002], [5], [-1e6, 1e6], [0, 0]]) {
    const marks = ticks(values, true);
    assert.ok(marks.length >= 2 && marks.length <= 7, String(marks));
    assert.ok(Math.min(...marks) <= Math.min(...values) && Math.max(...marks) >= Math.max(...values));
    assert.ok(marks.includes(0));
  }
  assert.equal(height(0, [-100, 0, 100]), 50);
  assert.equal(height(100, [-100, 0, 100]), 0);
});

test("what a list is narrowed down to goes into the address and back", () => {
  const filters = { game: "holdem", with: "Ann & Bo", showdown: "1", from: "2026-05-01" };
  assert.deepEqual(readFilters(writeFilters(filters)), filters);
  assert.deepEqual(readFilters("?from=yesterday&unknown=1&game=chess"), { game: "chess" });
  assert.equal(writeFilters({}), "");
  const asked = askedFor({ from: "2026-05-01", to: "2026-05-01" });
  assert.equal(Number(asked.get("until")) - Number(asked.get("since")), 86_400_000 - 1);
});

test("a file of chess is told from one of poker, and its hands from each other", () => {
  assert.ok(looksLikePgn('\uFEFF[Event "x"]\n\n1. e4 *'));
  assert.ok(looksLikePgn("% written by hand\n1. e4 e5"));
  assert.ok(!looksLikePgn("variant = 'NT'\nantes = [0, 0]"));
  assert.ok(!looksLikePgn("[1]\nvariant = 'NT'\n"));
  assert.deepEqual(handsIn("variant = 'NT'").length, 1);
  assert.deepEqual(handsIn("[1]\nvariant = 'NT'\nactions = [\n  'p1 f',\n]\n\n[2]\nvariant = 'PO'\n").map((hand) => hand.trim().slice(0, 12)), ["variant = 'N", "variant = 'P"]);
});
