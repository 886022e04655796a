import assert from "node:assert/strict";
import { test } from "node:test";
import { graceLeft } from "../src/table/grace.ts";

test("what is left of the grace is told for a minute, and comes back a second in twenty", () => {
  const used = { left: 5_000, at: 100_000 };
  const told = [100_000, 119_999, 120_000, 160_000, 160_001].map((now) => graceLeft(used, 8, now));
  assert.deepEqual(told, [5, 5, 6, 8, null]);
  assert.equal(graceLeft({ left: 7_900, at: 100_000 }, 8, 160_000), 8);
  assert.equal(graceLeft(null, 8, 100_000), null);
  assert.equal(graceLeft(used, 8, 99_000), 5, "the clock of the page may be behind");
});
