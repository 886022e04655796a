import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlayedRound, WireEvent } from "../src/api/types.ts";

// Words and choices of a device are read from its page.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } }, matchMedia: () => ({ matches: false }) });
const { framesOf } = await import("../src/games/holdem/foldPoker.ts");

test("a hand that is looked at again tells what everybody did, and who won which pot with what", () => {
  const event = (type: string, fields: object): WireEvent => ({ seq: 0, at: 0, type, ...fields });
  const events = [
    event("hand_started", { hand: 3, button: 0, stacks: { 0: 100, 1: 100 }, blinds: [1, 2] }),
    event("posted", { seat: 0, kind: "small_blind", amount: 1 }),
    event("posted", { seat: 1, kind: "big_blind", amount: 2 }),
    event("acted", { seat: 0, action: "raise", amount: 5, total: 6, all_in: false }),
    event("acted", { seat: 1, action: "call", amount: 4, total: 6, all_in: false }),
    event("street", { street: "flop", cards: ["2c", "3d", "4h"] }),
    event("shown", { seat: 1, cards: ["As", "5s"], made: "straight:5" }),
    event("hand_ended", { hand: 3, pots: [{ amount: 12, seats: [0, 1], winners: [1], shares: [12] }], payouts: { 1: 12 }, stacks: {}, reason: "showdown" }),
  ];
  const names = { 0: "Ada", 1: "Bo" };
  const views = framesOf({ names, players: names, settings: { seats: 2 }, events } as unknown as PlayedRound).map(({ view }) => view.state);
  const lastOf = (at: number, seat: number) => views[at]?.players.find((player) => player.seat === seat)?.last;
  assert.deepEqual(lastOf(2, 0), { type: "small_blind", amount: 1 });
  assert.deepEqual(lastOf(3, 0), { type: "raise", amount: 6 });
  assert.deepEqual(lastOf(4, 1), { type: "call", amount: 6 });
  assert.equal(lastOf(5, 0), null, "a new street begins");
  for (const state of views.slice(0, -1)) {
    const chips = state.players.reduce((sum, player) => sum + player.stack, state.pot);
    assert.equal(chips, 200);
  }
  const result = views.at(-1)?.result;
  assert.deepEqual(result?.pots, [{ amount: 12, seats: [0, 1], winners: [1], shares: [12], made: "straight:5" }]);
  assert.equal(result?.reason, "showdown");
  assert.equal(views.at(-1)?.players.find((player) => player.seat === 1)?.stack, 106);
});

test("a player of the house has its own face in a hand that is looked at again", () => {
  const events = [{ seq: 0, at: 0, type: "hand_started", hand: 1, button: 0, stacks: { 0: 100, 1: 100 }, blinds: [1, 2] }];
  const played = { names: { 0: "Ada", 1: "Basil" }, players: { 0: "a", 1: "b" }, faces: { 0: { avatar: "face:3", bot: false }, 1: { avatar: null, bot: true } }, settings: { seats: 2 }, events };
  const people = framesOf(played as unknown as PlayedRound)[0]?.view.seats.map(({ player }) => [player?.avatar, player?.bot]);
  assert.deepEqual(people, [
    ["face:3", false],
    [null, true],
  ]);
});
