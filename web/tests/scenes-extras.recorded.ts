import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { WireEvent } from "../src/api/types.ts";
import { followed, scenesOf, type Act, type Scene } from "../src/games/holdem/presenter/scenes.ts";
import type { PokerState, PokerView } from "../src/games/holdem/types.ts";

/** Steps of random hands with runs, two boards, bomb pots, bounties and rabbits: see tests/web/test_scenes.py. */
interface Step {
  before: PokerView;
  events: WireEvent[];
  after: PokerView;
}

const steps = JSON.parse(readFileSync(process.env.PARLOUR_STEPS as string, "utf8")) as Step[];
const told: [Step, Scene[]][] = steps.map((step) => [step, scenesOf(step.before, step.events, step.after)]);

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
const chips = (state: PokerState) => sum(state.players.map((player) => player.stack)) + state.pot;
const cardsIn = (json: unknown) => new Set(JSON.stringify(json).match(/(?<=")[2-9TJQKA][cdhs](?=")/g) ?? []);
const has = (type: string) => (step: Step) => step.events.some((event) => event.type === type);
const of = <Kind extends Act["kind"]>(scenes: Scene[], kind: Kind) =>
  scenes.filter((scene): scene is Scene & { act: Extract<Act, { kind: Kind }> } => scene.act.kind === kind);

test("the last scene shows what the server says", () => {
  for (const [{ after }, scenes] of told) if (scenes.length) assert.deepEqual({ ...scenes.at(-1)?.view, seq: after.seq }, after);
});

test("no chip is lost or made in any scene", () => {
  for (const [{ before, events }, scenes] of told) {
    if (events.some((event) => event.type === "hand_started" || event.type === "cashed_out")) continue;
    for (const { act, view } of scenes) assert.equal(chips(view.state), chips(before.state), `${act.kind} of hand ${view.state.hand}`);
  }
});

test("the events alone lead to what the server says", () => {
  for (const { before, events, after } of steps) {
    const end = followed(before, events, after).at(-1)?.view.state;
    // Where everybody folds to the only blind, no pot is paid, and what is shown last is the blind that goes back.
    const nothing = events.some((event) => event.type === "hand_ended" && !(event.pots as unknown[]).length);
    if (!end || nothing || events.some((event) => event.type === "cashed_out")) continue;
    const said = ({ players, board, boards, pot, result, bounty, rabbit }: PokerState) => ({
      stacks: players.map(({ seat, stack, bet, cards, holds }) => ({ seat, stack, bet, cards, holds })),
      board,
      boards,
      pot,
      result,
      bounty,
      rabbit,
    });
    assert.deepEqual(said(end), { boards: undefined, bounty: undefined, rabbit: undefined, ...said(after.state) });
  }
});

test("no scene shows a card that the viewer was never told", () => {
  for (const [{ before, events, after }, scenes] of told) {
    const known = cardsIn([before.state, before.private, events, after.state, after.private]);
    for (const { view } of scenes) for (const card of cardsIn([view.state, view.private])) assert.ok(known.has(card), `${card} was never told`);
  }
});

test("the runs are dealt one after another, each from the cards that lay there, and nobody has won before the last", () => {
  const several = told.filter(([step]) => step.events.some((event) => event.type === "runs_agreed" && Number(event.times) > 1));
  assert.ok(several.length >= 10, `only ${several.length} hands were run more than once`);
  for (const [{ before, after }, scenes] of several) {
    const lay = before.state.hand === after.state.hand ? before.state.board.length : 0;
    const turns = of(scenes, "turn");
    const streets = [0, 3, 4].filter((from) => from >= lay);
    const expected = (after.state.boards ?? []).flatMap((_, on) => streets.map((from) => ({ on, from })));
    assert.deepEqual(turns.map(({ act: { on, from } }) => ({ on, from })), expected);
    for (const { act, view } of turns) {
      assert.equal(view.state.result, null, "nobody has won yet");
      view.state.boards?.forEach((board, on) => {
        const full = after.state.boards?.[on] ?? [];
        const dealt = on < act.on ? 5 : on > act.on ? lay : act.from + act.cards;
        assert.deepEqual(board, full.slice(0, dealt), "the other runs wait");
      });
    }
    assert.deepEqual(of(scenes, "award").at(-1)?.view.state.boards, after.state.boards);
  }
});

test("two boards are dealt street by street, the first before the second", () => {
  const both = told.filter(([{ after, events }]) => after.state.game?.boards === 2 && events.some((event) => event.type === "street"));
  assert.ok(both.length >= 20);
  for (const [, scenes] of both) {
    const order = of(scenes, "turn").map(({ act: { on, from } }) => 2 * [0, 3, 4].indexOf(from) + on);
    assert.deepEqual(order, [...order].sort((a, b) => a - b));
  }
});

test("a bomb pot begins with everybody's ante in the middle and the flop", () => {
  const bombs = told.filter(([{ events }]) => events.some((event) => event.type === "hand_started" && event.bomb));
  assert.ok(bombs.length >= 10);
  for (const [, scenes] of bombs) {
    const [open] = of(scenes, "open");
    assert.ok(open);
    assert.equal(open.act.stakes.length, open.view.state.players.filter((player) => player.status !== "waiting" && player.status !== "sitting_out" && player.status !== "busted").length);
    assert.equal(open.view.state.pot, sum(open.act.stakes.map(({ amount }) => amount)));
    assert.ok(open.view.state.players.every((player) => player.bet === 0), "nobody has bet");
    const kinds = scenes.map(({ act }) => act.kind);
    assert.deepEqual(kinds.slice(0, 2), ["open", "deal"]);
    assert.ok(kinds.slice(0, kinds.indexOf("turn")).every((kind) => !["push", "check", "muck"].includes(kind)), "nobody acts before the flop");
  }
});

test("a bounty is paid after the pots, by those who owe it", () => {
  const bounties = told.filter(([step]) => has("bounty")(step) && !step.events.some((event) => event.type === "hand_started"));
  assert.ok(bounties.length >= 3, `only ${bounties.length} bounties`);
  for (const [{ after, events }, scenes] of bounties) {
    const paid = events.find((event) => event.type === "bounty")?.paid as Record<string, number>;
    const [scene] = of(scenes, "bounty");
    assert.ok(scene);
    assert.deepEqual(Object.fromEntries(scene.act.stakes.map(({ seat, amount }) => [String(seat), amount])), paid);
    assert.ok(scenes.indexOf(scene) > scenes.findLastIndex(({ act }) => act.kind === "award"));
    assert.deepEqual(scene.view.state.bounty, after.state.bounty);
  }
});

test("a rabbit is one scene, with the cards where they would have come", () => {
  const hunted = told.filter(([step]) => has("rabbit")(step));
  assert.ok(hunted.length >= 3, `only ${hunted.length} rabbits`);
  for (const [{ after }, scenes] of hunted) {
    assert.deepEqual(scenes.map(({ act }) => act.kind), ["rabbit"]);
    assert.deepEqual(scenes[0]?.view.state.rabbit, after.state.rabbit);
  }
});
