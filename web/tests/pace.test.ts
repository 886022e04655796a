import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Pace, type Show } from "../src/games/holdem/presenter/pace.ts";
import type { Act, Scene } from "../src/games/holdem/presenter/scenes.ts";
import type { PokerView } from "../src/games/holdem/types.ts";

mock.timers.enable({ apis: ["setTimeout"] });

const view = (name: string, hand = 1, street: string | null = "flop") => ({ name, state: { hand, street } }) as unknown as PokerView;
const named = (shown: PokerView) => (shown as unknown as { name: string }).name;
const scene = (act: Act, shown: PokerView): Scene => ({ act, view: shown });
const check = (seat: number): Act => ({ kind: "check", seat });
const street = (from: number, cards: number): Act => ({ kind: "turn", from, cards, runOut: true });

/** A pace whose show is written down, with the time at which it happened. */
function stage(start = view("start")) {
  const told: string[] = [];
  let now = 0;
  const show: Show = {
    draw: (shown) => told.push(`${now} ${named(shown)}`),
    enter: (act, ms, shown) => told.push(`${now} ${named(shown)}`, `${now} move ${act.kind} ${Math.round(ms)}`),
    leave: (act, ms) => told.push(`${now} move ${act.kind} ${Math.round(ms)}`),
    rest: () => undefined,
    cue: () => undefined,
  };
  const pace = new Pace(start, show);
  const pass = (ms: number) => {
    for (let step = 0; step < ms; step += 10) {
      now += 10;
      mock.timers.tick(10);
    }
  };
  const drawn = () => told.filter((line) => !line.includes("move"));
  return { pace, told, drawn, pass };
}

test("what arrives is drawn when its scene begins, what leaves stays until it has gone", () => {
  const { pace, told, pass } = stage();
  const end = view("end");
  pace.feed([scene(check(0), view("checked")), scene({ kind: "collect", stakes: [] }, end)], end);
  assert.deepEqual(told, ["0 checked", "0 move check 240"]);
  pass(160);
  assert.deepEqual(told.slice(2), ["160 move collect 300"]);
  pass(300);
  assert.deepEqual(told.slice(3), ["460 end", "460 end"]);
  assert.ok(!pace.busy);
});

test("a run-out takes about a second for each street, with a breath before the river", () => {
  const { pace, drawn, pass } = stage(view("start", 1, null));
  const end = view("end", 1, null);
  const streets: [number, number, string][] = [
    [0, 3, "flop"],
    [3, 1, "turn"],
    [4, 1, "river"],
  ];
  const scenes = streets.flatMap(([from, cards, name]) => [
    scene(street(from, cards), view(name, 1, null)),
    scene({ kind: "chances", board: from + cards }, view(`chances at the ${name}`, 1, null)),
  ]);
  pace.feed(scenes, end);
  assert.ok(pace.dramatic);
  pass(6000);
  const expected = ["0 flop", "420 chances at the flop", "1040 turn", "1380 chances at the turn", "2350 river", "2690 chances at the river", "3040 end"];
  assert.deepEqual(drawn(), expected);
});

test("a run-out is over before the next hand is due, with time to read the result", () => {
  const { pace, drawn, pass } = stage(view("start", 1, null));
  const end = view("end", 1, null);
  pace.feed([scene(street(3, 1), view("turn", 1, null)), scene(street(4, 1), view("river", 1, null))], end, 2000);
  pass(6000);
  const [time, name] = drawn().at(-1)?.split(" ") ?? [];
  assert.equal(name, "end");
  assert.ok(Number(time) <= 850, time);
});

test("a scene that another waits for is shortened", () => {
  const { pace, drawn, pass } = stage();
  pace.feed([scene(check(0), view("a")), scene({ kind: "push", seat: 1, amount: 2, allIn: false }, view("b"))], view("b"));
  pace.feed([scene(check(1), view("c"))], view("c"));
  pass(1000);
  assert.deepEqual(drawn(), ["0 a", "160 b", "290 c", "530 c"]);
});

test("too far behind, the page goes on from the present", () => {
  const { pace, drawn, pass } = stage();
  const many = [1, 2, 3, 4, 5, 6].map((n) => scene(check(n), view(`old ${n}`)));
  pace.feed(many, view("old 6"));
  pace.feed([scene(check(9), view("new"))], view("new"));
  pass(1000);
  assert.deepEqual(drawn(), ["0 old 1", "0 old 6", "0 new", "240 new"]);
});

test("the next hand waits for nothing", () => {
  const { pace, drawn, pass } = stage(view("start", 1, null));
  pace.feed([scene(street(3, 1), view("turn", 1, null)), scene(street(4, 1), view("river", 1, null))], view("end", 1, null));
  pass(200);
  const dealt = view("dealt", 2, "preflop");
  pace.feed([scene({ kind: "deal", seats: [0, 1], cards: 2 }, dealt)], dealt);
  assert.deepEqual(drawn(), ["0 turn", "200 dealt"]);
});

test("what is said beside the game does not hurry a run-out, and is drawn at its end", () => {
  const { pace, drawn, pass } = stage(view("start", 1, null));
  pace.feed([scene(street(3, 1), view("turn", 1, null)), scene(street(4, 1), view("river", 1, null))], view("end", 1, null));
  pass(100);
  pace.feed([], view("chat", 1, null));
  pass(6000);
  assert.deepEqual(drawn(), ["0 turn", "690 river", "1030 chat"]);
});

test("a jump shows the present, and nothing comes after it", () => {
  const { pace, drawn, pass } = stage(view("start", 1, null));
  pace.feed([scene(street(3, 1), view("turn", 1, null)), scene(street(4, 1), view("river", 1, null))], view("end", 1, null));
  pass(200);
  pace.jump();
  assert.ok(!pace.busy);
  pass(6000);
  assert.deepEqual(drawn(), ["0 turn", "200 end"]);
});
