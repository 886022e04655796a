import { effect } from "@preact/signals";
import type { TableStore } from "../../../table/store.ts";
import { play } from "../../../ui/sound.ts";
import type { PokerView } from "../types.ts";
import type { Act } from "./scenes.ts";

/** From so many big blinds on a pot is a big one. */
const BIG_POT = 40;
/** Milliseconds before one's time is up. */
const LOW_TIME = 5000;

/** The sound of a scene. */
export function cue(act: Act, view: PokerView): void {
  const blinds = (amount: number) => amount / Math.max(1, view.state.blinds[1]);
  const weight = (amount: number) => Math.min(1, 0.5 + blinds(amount) / 100);
  switch (act.kind) {
    case "deal":
      return void play("deal");
    case "turn":
      return void play("turn");
    case "reveal":
    case "rabbit":
      return void play("turn", 0.8);
    case "check":
      return void play("check");
    case "muck":
      return void play("fold");
    case "open":
    case "bounty":
      return void play("chips", 0.5);
    case "push":
      return void (act.allIn ? play("allin") : play("chips", weight(act.amount)));
    case "collect":
    case "returned":
      return void play("collect", 0.7);
    case "award": {
      const mine = act.stakes.some(({ seat }) => view.you?.seats.includes(seat));
      if (blinds(act.amount) >= BIG_POT) return void play("bigWin", mine ? 1 : 0.7);
      return void play(mine ? "win" : "collect", weight(act.amount));
    }
    case "chances":
  }
}

const LOUDEST: Act["kind"][] = ["award", "push", "reveal", "turn", "deal", "check", "muck"];

/** The one sound that stands for several scenes, where all of them are shown at once. */
export function cueOnce(acts: readonly Act[], view: PokerView): void {
  for (const kind of LOUDEST) {
    const act = acts.findLast((one) => one.kind === kind);
    if (act) return cue(act, view);
  }
}

/** Warns once when one's own time is nearly up. Ends with the call of the answer. */
export function warnOfTime(table: TableStore): () => void {
  return effect(() => {
    const deadline = table.myTurn.value ? table.view.value?.deadline : null;
    if (!deadline) return;
    const left = deadline.at - LOW_TIME - table.now();
    if (left <= 0) return;
    const timer = setTimeout(() => void play("lowTime"), left);
    return () => clearTimeout(timer);
  });
}
