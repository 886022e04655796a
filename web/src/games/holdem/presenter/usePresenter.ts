import { effect, signal, untracked } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import type { WireEvent } from "../../../api/types.ts";
import { animations, textTable } from "../../../app/prefs.ts";
import type { TableStore } from "../../../table/store.ts";
import type { PokerView } from "../types.ts";
import { cue, cueOnce, warnOfTime } from "./cues.ts";
import type { Motion } from "./motion.ts";
import { Pace, type Show } from "./pace.ts";
import { scenesOf, type Act } from "./scenes.ts";

/** Whether hands that are all-in are being played out: a tap or a key shows the end. */
export const runningOut = signal(false);

/**
 * The view to draw on the stage. It follows the table's own view scene by scene and always ends with it. What may be done
 * is never held back: controls, log and narration go by the table's own view.
 */
export function usePresenter(table: TableStore): PokerView {
  const presenter = useMemo(() => new Presenter(table), [table]);
  useEffect(() => presenter.open(), [presenter]);
  const view = presenter.shown.value;
  useLayoutEffect(() => presenter.drawn(), [view]);
  return view;
}

class Presenter implements Show {
  readonly shown;
  private readonly table: TableStore;
  /** It comes after the table itself: until then everything is drawn where it belongs at once. */
  private motion: Motion | null = null;
  private readonly pace: Pace;
  private known: PokerView;
  private told: WireEvent[];
  /** The view that is in the page, and what is to move once the shown one is. */
  private drawing: PokerView;
  private waiting: (() => void)[] = [];

  constructor(table: TableStore) {
    this.table = table;
    this.known = table.view.peek() as PokerView;
    this.told = table.latest.peek();
    this.shown = signal(this.known);
    this.drawing = this.known;
    this.pace = new Pace(this.known, this);
  }

  /** Listens until the answer is called. */
  open(): () => void {
    const follow = effect(() => {
      const view = this.table.view.value as PokerView;
      const events = this.table.latest.value;
      const quiet = !animations.value || textTable.value;
      untracked(() => this.follow(view, events, quiet));
    });
    const calm = warnOfTime(this.table);
    import("./motion.ts").then(
      (part) => (this.motion = new part.Motion()),
      () => undefined,
    );
    const jump = () => this.pace.busy && this.jump();
    const key = (event: KeyboardEvent) => !MODIFIERS.has(event.key) && !writes(event.target) && jump();
    const hide = () => document.hidden && jump();
    addEventListener("pointerdown", jump, true);
    addEventListener("keydown", key, true);
    addEventListener("resize", jump);
    document.addEventListener("visibilitychange", hide);
    return () => {
      follow();
      calm();
      removeEventListener("pointerdown", jump, true);
      removeEventListener("keydown", key, true);
      removeEventListener("resize", jump);
      document.removeEventListener("visibilitychange", hide);
      this.pace.stop();
      runningOut.value = false;
    };
  }

  /** The shown view is in the page. */
  drawn(): void {
    this.drawing = this.shown.peek();
    this.motion?.release();
    for (const move of this.waiting.splice(0)) move();
  }

  private follow(view: PokerView, events: WireEvent[], quiet: boolean): void {
    const before = this.known;
    const news = events !== this.told;
    this.known = view;
    this.told = events;
    // While the link is not open, the update is what was missed.
    const present = document.hidden || this.table.link.peek() !== "open";
    const scenes = news && !present ? scenesOf(before, events, view) : [];
    if (quiet || present) {
      if (!present) cueOnce(scenes.map(({ act }) => act), view);
      this.pace.feed([], view);
      return this.jump();
    }
    const next = view.state.next_hand_at;
    this.pace.feed(scenes, view, view.state.result && next !== null ? next - this.table.now() : null);
    runningOut.value = this.pace.dramatic;
    this.table.showing.value = this.pace.busy;
  }

  private jump(): void {
    this.pace.jump();
    runningOut.value = false;
  }

  draw(view: PokerView): void {
    this.shown.value = view;
    if (!this.pace.busy) runningOut.value = this.table.showing.value = false;
  }

  enter(act: Act, ms: number, view: PokerView): void {
    const seen = this.motion?.look(act);
    this.draw(view);
    this.waiting.push(() => this.motion?.run(act, ms, view, seen));
  }

  leave(act: Act, ms: number, view: PokerView): void {
    const move = () => this.motion?.run(act, ms, view);
    if (this.drawing === this.shown.peek()) move();
    else this.waiting.push(move);
  }

  rest(): void {
    this.waiting = [];
    this.motion?.stop();
  }

  cue(act: Act, view: PokerView): void {
    cue(act, view);
  }
}

const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock"]);

/** Whether somebody is writing: a key then belongs to what they write. */
function writes(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("textarea, input:not([type=range], [type=checkbox])");
}
