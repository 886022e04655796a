import type { PokerView } from "../types.ts";
import type { Act, Scene } from "./scenes.ts";

/** Milliseconds of a scene: how long nothing happens at first, how long things move, and when the next scene may begin. */
export interface Timing {
  wait: number;
  move: number;
  length: number;
}

/** A scene that another one waits for takes no longer than this. */
const HURRIED = 130;
/** So many scenes may wait when something new happens; with more of them the page goes on from the present. */
const MOST_WAITING = 4;
/** How long the result of a run-out is to be seen before the next hand is dealt. */
const LINGER = 1200;
/** The gap between two cards that are dealt, and the flight of one. */
export const CARD_GAP = 45;
export const CARD_FLIGHT = 240;

/** How long a scene takes when nothing presses. */
export function timing(act: Act, last: boolean): Timing {
  switch (act.kind) {
    case "open":
      return { wait: 0, move: 320, length: 240 };
    case "push":
      return still(260);
    case "deal":
      return still(CARD_FLIGHT + CARD_GAP * Math.min(12, act.seats.length * act.cards) + 120);
    case "check":
      return { wait: 0, move: 240, length: 160 };
    case "muck":
      return still(220);
    case "returned":
      return still(260);
    case "collect":
      return still(300);
    case "reveal":
      return still(act.seats.length ? 340 : 60);
    case "turn":
      return { ...still(act.cards > 1 ? 420 : 340), wait: act.runOut && act.from === 4 ? 350 : 0 };
    case "chances":
      return { wait: 0, move: 0, length: act.board === 5 ? 350 : 620 };
    case "award":
      return { wait: 0, move: 380, length: last ? 380 : 950 };
    case "bounty":
      return still(500);
    case "rabbit":
      return still(420);
  }
}

function still(length: number): Timing {
  return { wait: 0, move: length, length };
}

/** Whether the scene's view is drawn when it begins, and things move into it; else they go away, and it is drawn after that. */
export function arrives(act: Act): boolean {
  return act.kind !== "collect" && act.kind !== "award" && act.kind !== "muck";
}

export interface Show {
  /** Draws this view. */
  draw(view: PokerView): void;
  /** Draws the view, in which things are moved to their places. */
  enter(act: Act, ms: number, view: PokerView): void;
  /** Moves things away in the view that is there. */
  leave(act: Act, ms: number, view: PokerView): void;
  /** Whatever moves is where it belongs, at once. */
  rest(): void;
  /** A scene begins. */
  cue(act: Act, view: PokerView): void;
}

/** Shows scenes one after another. The page may be behind the server by that much, and never for long. */
export class Pace {
  private queue: { scene: Scene; timing: Timing }[] = [];
  private running: Act | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private present: PokerView;
  private readonly show: Show;

  constructor(present: PokerView, show: Show) {
    this.present = present;
    this.show = show;
  }

  get busy(): boolean {
    return this.running !== null;
  }

  /** Whether what is left to show is worth a hint that it can be skipped. */
  get dramatic(): boolean {
    return [this.running, ...this.queue.map(({ scene }) => scene.act)].some((act) => act?.kind === "turn" && act.runOut);
  }

  /** The server says something new. `time` is what is left until the next hand, where that is known. */
  feed(scenes: Scene[], present: PokerView, time: number | null = null): void {
    const known = this.present;
    const nextHand = present.state.hand !== known.state.hand;
    this.present = present;
    if (!scenes.length) {
      if (!this.busy || nextHand) this.jump();
      return;
    }
    if (nextHand) {
      this.settle();
    } else if (this.queue.length > MOST_WAITING && present.state.street !== null) {
      this.settle();
      this.show.draw(known);
    } else if (present.state.street !== null) {
      for (const item of this.queue) item.timing = hurried(item.timing);
    }
    this.queue.push(...scenes.map((scene, index) => ({ scene, timing: timing(scene.act, index === scenes.length - 1) })));
    // Nothing follows the last scene that could overlap with it.
    const end = this.queue.at(-1)?.timing;
    if (end) end.length = Math.max(end.length, end.move);
    if (time !== null && !this.busy) this.fit(time - LINGER);
    if (!this.busy) this.next();
  }

  /** The server's view itself, with everything in its place. */
  jump(): void {
    this.settle();
    this.show.draw(this.present);
  }

  stop(): void {
    this.settle();
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.queue = [];
    this.running = null;
    this.show.rest();
  }

  /** Shortens what waits so that it is over in time, as far as it can still be followed. */
  private fit(time: number): void {
    const whole = this.queue.reduce((sum, item) => sum + item.timing.wait + item.timing.length, 0);
    const rate = Math.min(1, Math.max(0.4, time / whole));
    for (const item of this.queue) {
      const { wait, move, length } = item.timing;
      item.timing = { wait: wait * rate, move: Math.min(move, length * rate), length: length * rate };
    }
  }

  private next(): void {
    const item = this.queue.shift();
    if (!item) return this.jump();
    this.running = item.scene.act;
    this.after(item.timing.wait, () => this.begin(item.scene, item.timing));
  }

  private begin({ act, view }: Scene, { move, length }: Timing): void {
    this.show.cue(act, view);
    if (arrives(act)) {
      this.show.enter(act, move, view);
      this.after(length, () => this.next());
    } else {
      this.show.leave(act, move, view);
      this.after(move, () => {
        this.show.draw(view);
        this.after(Math.max(0, length - move), () => this.next());
      });
    }
  }

  private after(ms: number, work: () => void): void {
    if (ms > 0) this.timer = setTimeout(work, ms);
    else work();
  }
}

function hurried({ move, length }: Timing): Timing {
  return { wait: 0, move: Math.min(move, HURRIED), length: Math.min(length, HURRIED) };
}
