import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { WireEvent } from "../src/api/types.ts";
import { followed, scenesOf, type Act, type Scene } from "../src/games/holdem/presenter/scenes.ts";
import type { PokerPlayer, PokerResult, PokerState, PokerView } from "../src/games/holdem/types.ts";

/** Steps of random hands that the server's own rules have played, as one viewer saw them: see tests/web/test_scenes.py. */
interface Step {
  before: PokerView;
  events: WireEvent[];
  after: PokerView;
}

const steps = JSON.parse(readFileSync(process.env.PARLOUR_STEPS as string, "utf8")) as Step[];
const told: [Step, Scene[]][] = steps.map((step) => [step, scenesOf(step.before, step.events, step.after)]);

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
const stacks = (state: PokerState) => sum(state.players.map((player) => player.stack));
const bets = (state: PokerState) => sum(state.players.map((player) => player.bet));
const started = (events: WireEvent[]) => events.findLast((event) => event.type === "hand_started");
const cardsIn = (json: unknown) => new Set(JSON.stringify(json).match(/(?<=")[2-9TJQKA][cdhs](?=")/g) ?? []);

/** Chips that are there while the events happen. Those who are dealt in have what the event says, all others what they have after it. */
function chips({ before, events, after }: Step): number {
  const dealt = started(events)?.stacks as Record<string, number> | undefined;
  if (!dealt) return stacks(before.state) + before.state.pot;
  return sum(after.state.players.map((player) => dealt[String(player.seat)] ?? player.stack));
}

test("the last scene shows what the server says, and no scene claims to be the server's view", () => {
  for (const [{ before, after }, scenes] of told) {
    for (const { view } of scenes) assert.equal(view.seq, before.seq);
    if (scenes.length) assert.deepEqual({ ...scenes.at(-1)?.view, seq: after.seq }, after);
  }
});

test("no chip is lost or made in any scene", () => {
  for (const [step, scenes] of told) {
    for (const { act, view } of scenes.slice(0, -1)) {
      const { state } = view;
      assert.equal(stacks(state) + state.pot, chips(step), `${act.kind} of hand ${state.hand}`);
      const inPots = sum(state.pots.map((pot) => pot.amount));
      if (state.street === "preflop" && !state.pots.length) assert.ok(bets(state) <= state.pot, "antes lie in the middle");
      else assert.equal(bets(state) + inPots, state.pot, `${act.kind}: what lies on the table is the pot`);
      for (const player of state.players) assert.ok(player.stack >= 0 && player.bet >= 0);
    }
  }
});

/** What a scene changes at a seat. A hand that is over says nothing of bets and prices any more. */
const shownAt = ({ seat, stack, bet, holds, cards, last }: PokerPlayer) => ({ seat, stack, bet, holds, cards, last });

test("the events alone lead to what the server says", () => {
  for (const { before, events, after } of steps) {
    const end = followed(before, events, after).at(-1)?.view.state;
    if (!end || events.some((event) => event.type === "cashed_out")) continue;
    const { hand, board, button, pot, pots, result, run_out } = after.state;
    assert.deepEqual(end.players.map(shownAt), after.state.players.map(shownAt));
    const said = [end.hand, end.board, end.button, end.pot, end.pots, end.result, end.run_out];
    assert.deepEqual(said, [hand, board, button, pot, pots, result, run_out]);
  }
});

test("no scene shows a card before its event, or one that the viewer was never told", () => {
  for (const [{ before, events, after }, scenes] of told) {
    const known = cardsIn([before.state, before.private, events, after.state, after.private]);
    for (const { view } of scenes) {
      for (const card of cardsIn([view.state, view.private])) assert.ok(known.has(card), `${card} was never told`);
    }
  }
  assert.ok(told.length > 500);
});

const kinds = (scenes: Scene[]) => scenes.map(({ act }) => act.kind);
type Of<Kind> = Scene & { act: Extract<Act, { kind: Kind }> };
const of = <Kind extends Act["kind"]>(kind: Kind) =>
  told.flatMap(([step, scenes]) => scenes.filter((scene): scene is Of<Kind> => scene.act.kind === kind).map((scene) => ({ step, scene, scenes })));

test("every kind of scene was played", () => {
  const counts = Object.fromEntries(
    (["open", "push", "deal", "check", "muck", "returned", "collect", "reveal", "turn", "chances", "award"] as const).map((kind) => [kind, of(kind).length]),
  );
  for (const [kind, count] of Object.entries(counts)) assert.ok(count >= 10, `too few of ${kind} to tell: ${JSON.stringify(counts)}`);
});

test("the board of a run-out comes street by street, and then the chances with what lies there", () => {
  const runs = told.filter(([, scenes]) => scenes.some(({ act }) => act.kind === "turn" && act.runOut));
  assert.ok(runs.length >= 20);
  for (const [{ before, after }, scenes] of runs) {
    const names = kinds(scenes);
    const streets = [3, 4, 5].filter((cards) => cards > boardBefore(before, after));
    const expected = ["reveal", "chances", ...streets.flatMap(() => ["turn", "chances"])];
    assert.deepEqual(names.filter((kind) => expected.includes(kind)), expected, "the hands are turned over together, before the board");
    for (const { act, view } of scenes) {
      const { board, run_out, result } = view.state;
      if (act.kind === "award") continue;
      assert.equal(result, null, "nobody has won yet");
      if (act.kind === "chances") assert.equal(run_out?.at(-1)?.board, board.length);
      if (act.kind === "chances") assert.deepEqual(run_out, after.state.run_out?.filter((step) => step.board <= board.length));
      if (board.length < 5) assert.ok(!view.private?.made || board.length === before.state.board.length, "no hand is named before its time");
    }
  }
});

/** The cards on the board before the step; none where the step deals a hand of its own. */
const boardBefore = (before: PokerView, after: PokerView) => (before.state.hand === after.state.hand ? before.state.board.length : 0);

test("pots are paid one after another, side pots first", () => {
  const side = told.filter(([, scenes]) => kinds(scenes).filter((kind) => kind === "award").length > 1);
  assert.ok(side.length >= 10);
  for (const [step, scenes] of side) {
    const awards = scenes.filter((scene): scene is Of<"award"> => scene.act.kind === "award");
    const { pots } = step.after.state.result as PokerResult;
    assert.deepEqual(awards.map(({ act }) => act.pot), pots.map((_, index) => pots.length - 1 - index));
    for (const { act, view } of awards.slice(0, -1)) {
      assert.deepEqual(act.stakes, pots[act.pot]?.winners.map((winner, index) => ({ seat: winner, amount: pots[act.pot]?.shares[index] })));
      assert.deepEqual(view.state.pots.length, act.pot, "what is paid no longer lies there");
      const paid = view.state.result?.pots.map((pot) => pot.winners.length > 0);
      assert.deepEqual(paid, pots.map((_, index) => index >= act.pot), "only what is paid has winners");
    }
  }
});

test("a hand whose beginning was missed is not made up", () => {
  const step = steps.find(({ events }) => events.some((event) => event.type === "acted"));
  assert.ok(step);
  const other = { ...step.before, state: { ...step.before.state, hand: 99 } };
  assert.deepEqual(scenesOf(other, step.events, step.after), []);
});

test("where the next hand is dealt in the same step, the old one is left", () => {
  const both = told.filter(([{ events }]) => {
    const [ended, next] = ["hand_ended", "hand_started"].map((type) => events.findIndex((event) => event.type === type)) as [number, number];
    return ended >= 0 && ended < next;
  });
  assert.ok(both.length >= 5);
  for (const [, scenes] of both) assert.equal(kinds(scenes)[0], "open");
});
