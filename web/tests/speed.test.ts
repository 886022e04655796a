import assert from "node:assert/strict";
import { test } from "node:test";
import { speedOf } from "../src/games/chess/speed.ts";

test("the speed of a game is that of the server", () => {
  const timed = (minutes: number, increment: number) => speedOf({ minutes, increment, days: 0, untimed: false });
  assert.deepEqual([timed(1, 0), timed(2, 1), timed(3, 0), timed(5, 3), timed(10, 0), timed(15, 10), timed(30, 20)], ["bullet", "bullet", "blitz", "blitz", "rapid", "rapid", "classical"]);
  assert.equal(speedOf({ untimed: true }), "untimed");
  assert.equal(speedOf({ untimed: false, days: 3 }), "correspondence");
});
