import type { WireEvent } from "../../../api/types.ts";
import type { PokerPlayer, PokerResult, PokerState, PokerView, Street } from "../types.ts";

/** Chips of one seat. */
export interface Stake {
  seat: number;
  amount: number;
}

/** What happens in a scene. */
export type Act =
  /** A hand begins: the button walks on, blinds and antes are put in. */
  | { kind: "open"; stakes: Stake[] }
  | { kind: "push"; seat: number; amount: number; allIn: boolean }
  | { kind: "deal"; seats: number[]; cards: number }
  | { kind: "check"; seat: number }
  | { kind: "muck"; seat: number }
  | { kind: "returned"; seat: number; amount: number }
  | { kind: "collect"; stakes: Stake[] }
  /** Hands of others that are turned over; one's own lies open already. */
  | { kind: "reveal"; seats: number[] }
  /** Cards of board `on` from place `from` on; `runOut` where nobody can act any more. */
  | { kind: "turn"; on: number; from: number; cards: number; runOut: boolean }
  /** What each hand can expect with so many cards on the board. */
  | { kind: "chances"; board: number }
  | { kind: "award"; pot: number; amount: number; stakes: Stake[] }
  /** The others pay the bounty of the 7-2 game to `seat`. */
  | { kind: "bounty"; seat: number; stakes: Stake[] }
  /** The cards that would have come. */
  | { kind: "rabbit" };

/** One thing that is seen to happen, and the table to draw once it has. */
export interface Scene {
  act: Act;
  view: PokerView;
}

const HOLE_CARDS: Record<string, number> = { omaha: 4, omaha5: 5, omaha6: 6, "omaha-hilo": 4, "omaha5-hilo": 5 };

/**
 * The scenes that lead from one view to the next. The last of them shows what `after` shows; none claims to be as far as
 * `after`, whose turn comes when all is over. There are none where nothing is to be seen happening, or where the events do
 * not join on to `before`.
 */
export function scenesOf(before: PokerView, events: readonly WireEvent[], after: PokerView): Scene[] {
  const scenes = followed(before, events, after);
  const last = scenes[scenes.length - 1];
  if (last) last.view = { ...after, seq: before.seq };
  return scenes;
}

/** The same with the last view as it follows from the events, to compare it with the server's. */
export function followed(before: PokerView, events: readonly WireEvent[], after: PokerView): Scene[] {
  const start = events.findLastIndex((event) => event.type === "hand_started");
  if (start < 0 && before.state.hand !== after.state.hand) return [];
  const story = new Story(before, events.slice(Math.max(0, start)), after);
  story.tellAll();
  return story.scenes;
}

/** Follows the events of a hand, with the table as it looks after each of them. */
class Story {
  readonly scenes: Scene[] = [];
  private readonly before: PokerView;
  private readonly after: PokerView;
  private readonly events: readonly WireEvent[];
  private state: PokerState;
  private own: PokerView["private"];
  /** A bounty that has been told and not been shown. */
  private owed: NonNullable<PokerState["bounty"]> | null = null;
  /** A hand that has started: what was posted, and how many cards each is to get. */
  private opening: { stakes: Stake[]; cards: number; seats: number[] } | null = null;

  constructor(before: PokerView, events: readonly WireEvent[], after: PokerView) {
    this.before = before;
    this.events = events;
    this.after = after;
    this.state = before.state;
    this.own = before.private;
  }

  tellAll(): void {
    for (const event of this.events) this.tell(event);
    this.deal();
  }

  private tell(event: WireEvent): void {
    const seat = event.seat as number;
    const amount = Number(event.amount ?? 0);
    switch (event.type) {
      case "hand_started":
        return this.open(event);
      case "posted":
        return this.post(String(event.kind), seat, amount);
      case "dealt":
        this.own = { cards: event.cards as string[], best: null, made: null };
        return;
      case "acted":
        return this.acted(event, seat, amount);
      case "returned":
        return this.returned(seat, amount);
      case "shown":
        return this.shown(seat, event.cards as string[]);
      case "mucked":
        this.collect();
        this.change(seat, () => ({ holds: 0 }));
        return this.add({ kind: "muck", seat });
      case "street":
        return this.street(event);
      case "runs_agreed":
        return this.runs(Number(event.times));
      case "bounty":
        this.owed = { seat, paid: event.paid as Record<string, number> };
        return this.state.result ? this.bounty() : undefined;
      case "rabbit":
        this.state = { ...this.state, rabbit: { seat, boards: event.boards as string[][] } };
        return this.add({ kind: "rabbit" });
      case "hand_ended":
        return this.end(event);
    }
  }

  /** The posts and the deal, once every post and one's own cards are known. */
  private deal(): void {
    const { opening, own } = this;
    if (!opening) return;
    this.opening = null;
    this.own = null;
    this.add({ kind: "open", stakes: opening.stakes });
    this.own = own;
    for (const seat of opening.seats) this.change(seat, () => ({ holds: opening.cards }));
    this.add({ kind: "deal", seats: opening.seats, cards: opening.cards });
  }

  private add(act: Act): void {
    const { before, after, state } = this;
    const seats = after.seats.map((seat) => (seat.player ? seat : (before.seats.find((one) => one.seat === seat.seat) ?? seat)));
    this.scenes.push({ act, view: { ...after, seq: before.seq, seats, state, private: this.own } });
  }

  private change(seat: number, part: (player: PokerPlayer) => Partial<PokerPlayer>): void {
    const players = this.state.players.map((player) => (player.seat === seat ? { ...player, ...part(player) } : player));
    this.state = { ...this.state, players };
  }

  private open(event: WireEvent): void {
    const { state } = this.after;
    const button = event.button as number;
    const stacks = event.stacks as Record<string, number>;
    const players = state.players.map((player): PokerPlayer => {
      const stack = stacks[String(player.seat)];
      const blank = { ...player, bet: 0, call: 0, cards: null, holds: 0, last: null };
      return stack === undefined ? blank : { ...blank, stack, status: "active" };
    });
    const seats = Object.keys(stacks).map(Number);
    const afterButton = (seat: number) => (seat > button ? seat - 1000 : seat);
    this.opening = { stakes: [], cards: HOLE_CARDS[String(event.variant)] ?? 2, seats: seats.sort((a, b) => afterButton(a) - afterButton(b)) };
    this.own = null;
    this.state = {
      ...state,
      hand: Number(event.hand),
      street: "preflop",
      board: [],
      boards: Number(event.boards ?? 1) > 1 ? Array.from({ length: Number(event.boards) }, () => []) : undefined,
      run: undefined,
      rabbit: undefined,
      bounty: undefined,
      button,
      pot: 0,
      pots: [],
      players,
      result: null,
      run_out: null,
    };
  }

  private post(kind: string, seat: number, amount: number): void {
    const dead = kind === "ante" || kind === "dead";
    this.change(seat, (player) => ({
      stack: player.stack - amount,
      bet: player.bet + (dead ? 0 : amount),
      status: player.stack > amount ? player.status : "allin",
      last: kind === "ante" ? player.last : { type: kind, amount },
    }));
    this.state = { ...this.state, pot: this.state.pot + amount };
    this.opening?.stakes.push({ seat, amount });
  }

  private acted(event: WireEvent, seat: number, amount: number): void {
    this.deal();
    const word = String(event.action);
    const total = Number(event.total ?? 0);
    const allIn = Boolean(event.all_in);
    const folds = word === "fold";
    this.change(seat, (player) => ({
      stack: player.stack - amount,
      bet: player.bet + amount,
      call: 0,
      status: folds ? "folded" : allIn ? "allin" : player.status,
      holds: folds ? 0 : player.holds,
      last: { type: word, amount: total, all_in: allIn },
    }));
    const { hand, actor } = this.after.state;
    this.state = { ...this.state, pot: this.state.pot + amount, actor: this.state.hand === hand ? actor : null };
    if (folds) {
      const pots = this.state.pots.map((pot) => ({ ...pot, seats: pot.seats.filter((one) => one !== seat) }));
      this.state = { ...this.state, pots };
      this.add({ kind: "muck", seat });
    } else if (amount > 0) this.add({ kind: "push", seat, amount, allIn });
    else this.add({ kind: "check", seat });
  }

  private returned(seat: number, amount: number): void {
    this.deal();
    this.change(seat, (player) => ({
      stack: player.stack + amount,
      bet: Math.max(0, player.bet - amount),
      status: player.status === "allin" ? "active" : player.status,
    }));
    this.state = { ...this.state, pot: this.state.pot - amount };
    this.add({ kind: "returned", seat, amount });
  }

  /** Bets to the pots, at the end of a round of betting. */
  private collect(): void {
    this.deal();
    const stakes = this.state.players.filter((player) => player.bet > 0).map(({ seat, bet }) => ({ seat, amount: bet }));
    const players = this.state.players.map((player) => ({ ...player, bet: 0, call: 0 }));
    this.state = { ...this.state, players, pots: this.pots(), actor: null };
    if (stakes.length) this.add({ kind: "collect", stakes });
  }

  /** How the chips lie once the bets are in: as the server says of the hand's end or of the next street. */
  private pots(): PokerState["pots"] {
    const { state, after } = this;
    if (state.pot === 0) return [];
    const ended = this.events.find((event) => event.type === "hand_ended");
    const pots = ended ? (ended.pots as PokerState["pots"]) : after.state.hand === state.hand ? after.state.pots : [];
    const sum = pots.reduce((total, pot) => total + pot.amount, 0);
    if (sum === state.pot) return pots.map(({ amount, seats }) => ({ amount, seats }));
    const seats = state.players.filter((player) => player.status === "active" || player.status === "allin").map((player) => player.seat);
    return [{ amount: state.pot, seats }];
  }

  private shown(seat: number, cards: string[]): void {
    const { result } = this.state;
    if (!result) this.collect();
    // Whoever shows after the end is in the result as well, with what the hand was worth.
    else if (this.after.state.result?.hand === result.hand) this.state = { ...this.state, result: this.after.state.result };
    this.change(seat, (player) => ({ cards, holds: Math.max(0, player.holds - (cards.length - (player.cards?.length ?? 0))) }));
    const last = this.scenes[this.scenes.length - 1]?.act;
    const earlier = this.runsOut && last?.kind === "reveal" ? last.seats : [];
    if (this.runsOut && last?.kind === "reveal") this.scenes.pop();
    const own = this.after.you?.seats.includes(seat) && this.own;
    this.add({ kind: "reveal", seats: own ? earlier : [...earlier, seat] });
  }

  /** Whether the hands are turned over before the board is complete. */
  private get runsOut(): boolean {
    return this.events.some((event) => event.type === "street" && event.to_act == null);
  }

  /** The chances as far as they may be told: with the cards that lie on the table. */
  private chances(): void {
    const { board, boards = [board] } = this.state;
    const { hand, run_out } = this.after.state;
    if (!this.runsOut || !run_out || hand !== this.state.hand) return;
    this.state = { ...this.state, run_out: run_out.filter((step) => step.board <= (boards[step.on ?? 0]?.length ?? -1)) };
    this.add({ kind: "chances", board: Math.min(...boards.map((cards) => cards.length)) });
  }

  private street(event: WireEvent): void {
    this.collect();
    const { after } = this;
    const on = Number(event.board ?? 0);
    const lying = this.state.boards?.[on] ?? this.state.board;
    const from = lying.length;
    const cards = event.cards as string[];
    const runOut = event.to_act == null;
    if (runOut && !this.state.run_out) this.chances();
    const grown = [...lying, ...cards];
    const boards = this.state.boards?.map((one, index) => (index === on ? grown : one));
    const board = on ? this.state.board : grown;
    const players = this.state.players.map((player) => ({ ...player, last: stays(player.last) ? player.last : null }));
    this.state = { ...this.state, street: event.street as Street, board, boards, players };
    if (this.own) this.own = { ...this.own, best: null, made: null };
    this.add({ kind: "turn", on, from, cards: cards.length, runOut });
    if (this.own && after.state.hand === this.state.hand && after.state.board.length === board.length) this.own = after.private;
    if (runOut) this.chances();
  }

  /** The rest of the board is dealt so often: each run has the cards that lie already. */
  private runs(times: number): void {
    const { board } = this.state;
    this.state = { ...this.state, run: undefined, boards: times > 1 ? Array.from({ length: times }, () => board) : this.state.boards };
  }

  /** The bounty is seen to be paid once the pots are, though at a showdown it is told before. */
  private bounty(): void {
    const { owed } = this;
    if (!owed) return;
    this.owed = null;
    const stakes = Object.entries(owed.paid).map(([payer, amount]) => ({ seat: Number(payer), amount }));
    for (const { seat, amount } of stakes) {
      this.change(seat, (player) => ({ stack: player.stack - amount }));
      this.change(owed.seat, (player) => ({ stack: player.stack + amount }));
    }
    this.state = { ...this.state, bounty: owed };
    this.add({ kind: "bounty", seat: owed.seat, stakes });
  }

  /** Each pot to its winners, the last side pot first. */
  private end(event: WireEvent): void {
    this.collect();
    const pots = event.pots as PokerResult["pots"];
    const said = this.after.state.result;
    const unknown: PokerResult = { hand: Number(event.hand), pots, payouts: {}, returned: null, shown: {}, reason: event.reason as PokerResult["reason"] };
    const result = said && said.hand === event.hand ? said : unknown;
    const payouts: Record<string, number> = {};
    for (let index = pots.length - 1; index >= 0; index--) {
      const pot = pots[index] as PokerResult["pots"][number];
      const stakes = pot.winners.map((seat, i) => ({ seat, amount: pot.shares[i] ?? 0 }));
      for (const { seat, amount } of stakes) {
        this.change(seat, (player) => ({ stack: player.stack + amount }));
        payouts[String(seat)] = (payouts[String(seat)] ?? 0) + amount;
      }
      const paid = result.pots.map((one, at) => (at < index ? { ...one, winners: [], shares: [] } : one));
      this.state = {
        ...this.state,
        pot: this.state.pot - pot.amount,
        pots: this.state.pots.slice(0, index),
        result: { ...result, pots: paid, payouts: { ...payouts } },
      };
      this.add({ kind: "award", pot: index, amount: pot.amount, stakes });
    }
    this.bounty();
  }
}

/** A fold or an all-in is told until the hand ends, anything else until its street does. */
function stays(last: PokerPlayer["last"]): boolean {
  return last !== null && (last.type === "fold" || Boolean(last.all_in));
}
