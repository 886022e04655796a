import { cardBack } from "../../../app/prefs.ts";
import "../../../styles/motion.css";
import { place, type Places, type Shape } from "../stage/place.ts";
import type { PokerView } from "../types.ts";
import { CARD_GAP } from "./pace.ts";
import type { Act } from "./scenes.ts";

/** A place on the stage in pixels of its effects layer: the middle and the width. */
interface Box {
  x: number;
  y: number;
  w: number;
}

/** What a scene has to remember of the table before it: the places, and copies of what goes away. */
export type Look = Map<string, { box: Box; node: Element }>;

const OUT = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const IN = "cubic-bezier(0.5, 0, 0.75, 0.4)";
const BOTH = "cubic-bezier(0.45, 0, 0.25, 1)";

/** How high chips rise on their way, in parts of it, and over how many straight pieces the way is drawn. */
const RISE = 0.14;
const PIECES = 8;
/** Milliseconds between one player's chips and the next one's, where several are on their way, and the most of the time for all of it. */
const CHIP_GAP = 45;
const CHIP_WAIT = 0.4;

/**
 * Moves things on the stage: `transform` and `opacity` alone, by the Web Animations API. What arrives is the element itself,
 * moved from where it came from to where it lies; what goes away is the element itself too, or a copy of it in the effects
 * layer. An animation that ends or is cancelled leaves nothing behind, so that the page is the view again.
 */
export class Motion {
  private readonly running = new Set<Animation>();
  /** Animations of what has gone, which hold until the next view is drawn. */
  private readonly gone = new Set<Animation>();
  /** Copies on their way, each with what moves it. */
  private readonly copies = new Map<Element, Animation[]>();
  private stage: HTMLElement | null = null;
  private layer: HTMLElement | null = null;
  private edge = { left: 0, top: 0, width: 0, height: 0 };

  /** Looks at the table before the scene's view is drawn. */
  look(act: Act): Look {
    const seen: Look = new Map();
    if (!this.find()) return seen;
    const note = (name: string, found: Element | null) => found && seen.set(name, { box: this.box(found), node: found.cloneNode(true) as Element });
    if (act.kind === "open") note("button", this.spot("button"));
    if (act.kind === "reveal") for (const seat of act.seats) this.cards(`cards-${seat}`).forEach((card, index) => note(`${seat} ${index}`, card));
    if (act.kind === "push" || act.kind === "returned") note(`${act.seat}`, this.chips(`bet-${act.seat}`));
    return seen;
  }

  /** Moves what belongs to the scene. All places are read before the first thing moves. */
  run(act: Act, ms: number, view: PokerView, seen: Look = new Map()): void {
    if (!this.find()) return;
    switch (act.kind) {
      case "open":
        this.walk(seen, ms);
        // Antes lie in the middle at once, and before nobody.
        this.pay(act.stakes.map(({ seat }) => seat).filter((seat) => !this.spot(`bet-${seat}`)), this.point("pot"), ms);
        return this.push(act.stakes.map(({ seat }) => seat), seen, ms);
      case "push":
        return this.push([act.seat], seen, ms);
      case "deal":
        return this.deal(act, ms);
      case "check":
        return this.knock(act.seat, ms);
      case "muck":
        return this.muck(act.seat, view.you?.seats.includes(act.seat) ?? false, ms);
      case "returned":
        return this.giveBack(act.seat, seen, ms);
      case "collect":
        return this.collect(act.stakes.map(({ seat }) => seat), ms);
      case "reveal":
        return this.reveal(act.seats, seen, ms);
      case "turn":
        return this.turn(act.on, act.from, act.cards, ms, view);
      case "award":
        return this.award(act.pot, act.stakes.map(({ seat }) => seat), ms);
      case "bounty":
        return this.pay(act.stakes.map(({ seat }) => seat), this.plate(act.seat), ms);
      case "rabbit":
        return this.flipAll([...(this.stage?.querySelectorAll("[data-rabbit] .card") ?? [])], ms);
      case "chances":
    }
  }

  /** What has gone is no longer in the view. */
  release(): void {
    for (const animation of this.gone) animation.cancel();
    this.gone.clear();
  }

  /** Everything is where it belongs. */
  stop(): void {
    this.release();
    for (const animation of this.running) animation.cancel();
    for (const copy of this.copies.keys()) copy.remove();
    this.running.clear();
    this.copies.clear();
  }

  private walk(seen: Look, ms: number): void {
    const disc = this.spot("button");
    const from = seen.get("button")?.box;
    if (disc && from) this.move(disc, [this.away(from, this.box(disc)), ""], { duration: ms, easing: BOTH });
  }

  private push(seats: number[], seen: Look, ms: number): void {
    const pushes = seats.map((seat) => ({ seat, bet: this.spot(`bet-${seat}`), chips: this.chips(`bet-${seat}`), plate: this.plate(seat) }));
    const boxes = pushes.map(({ bet, chips }) => [bet && this.box(bet), chips && this.box(chips)] as const);
    const gap = gapOf(pushes.length, ms);
    const duration = ms - gap * (pushes.length - 1);
    pushes.forEach(({ seat, bet, chips, plate }, index) => {
      const [at, pile] = boxes[index] ?? [null, null];
      if (!bet || !at || !plate) return;
      const timing = { duration, delay: gap * index, easing: OUT, fill: "backwards" } as const;
      if (!seen.has(`${seat}`)) {
        this.move(bet, arc(plate, at, 0.7), timing);
        this.fade(bet, [0, 1], { ...timing, duration: duration * 0.35 });
      } else if (chips && pile) {
        const copy = this.copy(chips, pile);
        this.move(copy, arc(plate, pile, 0.7), timing, copy);
      }
    });
  }

  private deal({ seats, cards }: { seats: number[]; cards: number }, ms: number): void {
    const deck = this.point("deck");
    const hands = seats.map((seat) => this.cards(`cards-${seat}`).map((card) => ({ card, box: this.box(card) })));
    const gap = Math.min(CARD_GAP, (ms * 0.6) / Math.max(1, seats.length * cards));
    const flight = Math.max(1, ms - gap * (seats.length * cards - 1));
    hands.forEach((hand, order) =>
      hand.forEach(({ card, box }, index) => {
        const start = `${this.away(deck, box)} rotate(-50deg) scale(0.6)`;
        const delay = gap * (index * seats.length + order);
        if (isBack(card)) {
          this.move(card, [start, ""], { duration: flight, delay, easing: OUT, fill: "backwards" });
          this.fade(card, [0, 1], { duration: 60, delay, fill: "backwards" });
        } else {
          this.flip(card, box, start, true, { delay, flight: flight * 0.6, flip: flight * 0.4 });
        }
      }),
    );
  }

  /** Two knocks on the table, by the word that says so. */
  private knock(seat: number, ms: number): void {
    const word = this.spot(`badge-${seat}`);
    if (word) this.move(word, ["scale(0.7)", "scale(1.16)", "", "scale(1.1)", ""], { duration: ms, easing: "ease-out" });
  }

  /** One's own cards stay in sight when they are folded: their backs go. */
  private muck(seat: number, own: boolean, ms: number): void {
    const muck = this.point("muck");
    const cards = this.cards(`cards-${seat}`).map((card) => ({ card, box: this.box(card) }));
    cards.forEach(({ card, box }, index) => {
      const gone = own ? this.back(box) : card;
      const end = `${this.away(muck, box)} rotate(${index ? 70 : 40}deg) scale(0.6)`;
      this.move(gone, ["", end], { duration: ms, easing: IN, fill: own ? "both" : "forwards" }, own ? gone : undefined);
      this.fade(gone, [1, 1, 0], { duration: ms, fill: own ? "both" : "forwards" });
    });
  }

  private giveBack(seat: number, seen: Look, ms: number): void {
    const pile = seen.get(`${seat}`);
    const plate = this.plate(seat);
    if (!pile || !plate) return;
    const copy = this.copy(pile.node, pile.box);
    this.move(copy, arc(plate, pile.box, 0.7).reverse(), { duration: ms, easing: BOTH }, copy);
    this.fade(copy, [1, 1, 0], { duration: ms });
  }

  private collect(seats: number[], ms: number): void {
    const first = this.spot("pot-0");
    const pot = first ? this.box(first) : this.point("pot");
    const bets = seats.flatMap((seat) => this.spot(`bet-${seat}`) ?? []).map((bet) => ({ bet, box: this.box(bet) }));
    const gap = gapOf(bets.length, ms);
    bets.forEach(({ bet, box }, index) => this.send(bet, box, [pot], ms, gap * index, ms - gap * (bets.length - 1)));
  }

  private reveal(seats: number[], seen: Look, ms: number): void {
    const cards = seats.flatMap((seat) => this.cards(`cards-${seat}`).map((card, index) => ({ card, box: this.box(card), was: seen.get(`${seat} ${index}`) })));
    for (const { card, box, was } of cards) {
      const start = was ? `${this.away(was.box, box)} scale(${(was.box.w / box.w).toFixed(3)})` : "";
      this.flip(card, box, start, false, { delay: 0, flight: ms / 2, flip: ms / 2 });
    }
  }

  /** What one's own hand makes is told when the cards lie open, not before. */
  private turn(on: number, from: number, count: number, ms: number, view: PokerView): void {
    const made = this.spot(`cards-${view.you?.seats[0] ?? ""}`)?.querySelector(".made");
    if (made) this.fade(made, [0, 1], { duration: ms * 0.2, delay: ms * 0.9, fill: "backwards" });
    const places = Array.from({ length: count }, (_, index) => this.spot(`${on ? `board-${on}` : "board"}-${from + index}`)?.querySelector(".card"));
    this.flipAll(places.flatMap((card) => card ?? []), ms);
  }

  /** Cards that come from the deck, one shortly after another, and are turned over. */
  private flipAll(places: Element[], ms: number): void {
    const deck = this.point("deck");
    const cards = places.map((card) => ({ card, box: this.box(card) }));
    const gap = cards.length > 1 ? (ms * 0.4) / (cards.length - 1) : 0;
    const each = ms - gap * (cards.length - 1);
    cards.forEach(({ card, box }, index) =>
      this.flip(card, box, `${this.away(deck, box)} scale(0.8)`, true, { delay: gap * index, flight: each * 0.5, flip: each * 0.5 }),
    );
  }

  /** A chip of each of these goes to one place. */
  private pay(seats: number[], end: { x: number; y: number } | null, ms: number): void {
    const plates = seats.flatMap((seat) => this.plate(seat) ?? []);
    if (!end) return;
    for (const plate of plates) {
      const chip = document.createElement("i");
      chip.className = "coin";
      const copy = this.copy(chip, plate);
      this.move(copy, ["", this.away(end, plate)], { duration: ms, easing: BOTH, fill: "both" }, copy);
      this.fade(copy, [1, 1, 1, 0], { duration: ms, fill: "both" });
    }
  }

  private award(index: number, seats: number[], ms: number): void {
    const pot = this.spot(`pot-${index}`);
    if (pot) this.send(pot, this.box(pot), seats.flatMap((seat) => this.plate(seat) ?? []), ms);
  }

  /** Chips go away above everything that lies on the table, to one place or to several. */
  private send(chips: Element, box: Box, ends: { x: number; y: number }[], ms: number, delay = 0, duration = ms): void {
    for (const end of ends) {
      const copy = this.copy(chips, box);
      // Each gets a part: the figure of the whole goes with none of them.
      if (ends.length > 1) copy.querySelector(".figure-of")?.remove();
      this.move(copy, arc(end, box, 0.75).reverse(), { duration, delay, easing: BOTH, fill: "both" }, copy);
      this.fade(copy, [1, 1, 1, 0], { duration, delay, fill: "both" });
    }
    this.fade(chips, [0, 0], { duration: ms, fill: "forwards" });
  }

  /** A card comes face down and is turned over. */
  private flip(card: Element, box: Box, start: string, fade: boolean, { delay, flight, flip }: { delay: number; flight: number; flip: number }): void {
    const back = this.back(box);
    this.move(back, [start, ""], { duration: flight, delay, easing: OUT, fill: "both" });
    if (fade) this.fade(back, [0, 1], { duration: Math.min(60, flight), delay, fill: "both" });
    this.move(back, ["", "scaleX(0)"], { duration: flip / 2, delay: delay + flight, easing: "ease-in" }, back);
    this.move(card, ["scaleX(0)", ""], { duration: flip / 2, delay: delay + flight + flip / 2, easing: "ease-out", fill: "backwards" });
  }

  /** Things are placed by `translate` and `rotate`, so that `transform` is free to move them. A copy goes when it has arrived. */
  private move(element: Element, path: string[], timing: KeyframeAnimationOptions, copy?: Element): void {
    const frames = path.map((transform) => ({ transform: transform || "none" }));
    this.keep(element, element.animate(frames, timing), copy);
  }

  private fade(element: Element, path: number[], timing: KeyframeAnimationOptions): void {
    this.keep(element, element.animate(path.map((opacity) => ({ opacity })), timing));
  }

  private keep(element: Element, animation: Animation, copy?: Element): void {
    this.copies.get(element)?.push(animation);
    const kept = animation.effect?.getTiming().fill === "forwards" ? this.gone : this.running;
    kept.add(animation);
    animation.onfinish = () => {
      if (copy) this.drop(copy);
      this.running.delete(animation);
    };
  }

  private drop(copy: Element): void {
    // Asking the page for them would make it compute all styles at once.
    for (const animation of this.copies.get(copy) ?? []) this.running.delete(animation);
    copy.remove();
    this.copies.delete(copy);
  }

  private copy(node: Element, box: Box): HTMLElement {
    const holder = document.createElement("div");
    holder.className = "flying";
    holder.style.left = `${box.x}px`;
    holder.style.top = `${box.y}px`;
    const inner = node.cloneNode(true) as HTMLElement | SVGElement;
    // It hangs from the holder now; what else its style says, such as how wide a pile is, stays.
    for (const side of ["left", "top"]) inner.style.removeProperty(side);
    inner.removeAttribute("data-spot");
    holder.append(inner);
    this.layer?.append(holder);
    this.copies.set(holder, []);
    return holder;
  }

  private back(box: Box): HTMLElement {
    const card = document.createElement("span");
    card.className = `card back ${cardBack.value}`;
    const holder = this.copy(card, box);
    holder.style.setProperty("--card", `${box.w}px`);
    return holder;
  }

  /** The way from one place to another, for something that lies at the second. */
  private away(from: { x: number; y: number }, to: Box): string {
    return `translate(${(from.x - to.x).toFixed(1)}px, ${(from.y - to.y).toFixed(1)}px)`;
  }

  private find(): boolean {
    this.stage = document.querySelector<HTMLElement>("[data-stage]");
    this.layer = this.stage?.querySelector<HTMLElement>('[data-spot="effects"]') ?? null;
    if (!this.layer) return false;
    this.edge = this.layer.getBoundingClientRect();
    return this.edge.width > 0;
  }

  private spot(name: string): Element | null {
    return this.stage?.querySelector(`[data-spot="${name}"]`) ?? null;
  }

  /** The places of the cards of a hand, with a card on each. */
  private cards(name: string): Element[] {
    return [...(this.spot(name)?.querySelectorAll(".slot") ?? [])];
  }

  private chips(name: string): Element | null {
    return this.spot(name)?.querySelector(".chips") ?? null;
  }

  private plate(seat: number): Box | null {
    const plate = this.spot(`seat-${seat}`);
    return plate && this.box(plate);
  }

  private box(element: Element): Box {
    const { left, top, width, height } = element.getBoundingClientRect();
    // A card may be turned a little: its width is not that of its outline.
    const w = element instanceof HTMLElement ? element.offsetWidth : width;
    return { x: left + width / 2 - this.edge.left, y: top + height / 2 - this.edge.top, w };
  }

  private point(name: "deck" | "muck" | "pot"): { x: number; y: number } {
    const shape: Shape = this.stage?.dataset.shape === "portrait" ? "portrait" : "landscape";
    const at = middle(shape)[name];
    return { x: (at.x * this.edge.width) / 100, y: (at.y * this.edge.height) / 100 };
  }
}

/** The steps of an arc over the cloth, for something that comes from the first place and lies at the second. */
function arc(from: { x: number; y: number }, to: Box, scale: number): string[] {
  const [dx, dy] = [from.x - to.x, from.y - to.y];
  const rise = RISE * Math.hypot(dx, dy);
  return Array.from({ length: PIECES + 1 }, (_, piece) => {
    const left = 1 - piece / PIECES;
    const up = 4 * rise * left * (1 - left);
    return left ? `translate(${(dx * left).toFixed(1)}px, ${(dy * left - up).toFixed(1)}px) scale(${(1 - (1 - scale) * left).toFixed(3)})` : "";
  });
}

/** Between one of several and the next, so that they settle one after another in the time for all. */
const gapOf = (count: number, ms: number): number => (count > 1 ? Math.min(CHIP_GAP, (CHIP_WAIT * ms) / (count - 1)) : 0);

const middles = new Map<Shape, Places>();

/** The places that do not depend on who sits at the table. */
function middle(shape: Shape): Places {
  const known = middles.get(shape) ?? place([], 2, null, shape);
  middles.set(shape, known);
  return known;
}

function isBack(card: Element): boolean {
  return card.querySelector(".back") !== null;
}
