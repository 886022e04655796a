import type { PlayedRound, View, WireEvent } from "../../api/types.ts";
import { tellPoker } from "./narrate.ts";
import type { PokerPlayer, PokerResult, PokerState, PokerView, Street } from "./types.ts";

export interface Frame {
  view: PokerView;
  line: string;
}

/** The table after each event of a hand, as the reader may see it. */
export function framesOf(played: PlayedRound): Frame[] {
  const name = (seat: unknown) => played.names[String(seat)] ?? String(Number(seat) + 1);
  const frames: Frame[] = [];
  const shown: PokerResult["shown"] = {};
  let state: PokerState | null = null;
  for (const event of played.events) {
    if (event.type === "hand_started") state = opening(event, played);
    if (!state) continue;
    if (event.type === "shown") shown[String(event.seat)] = { cards: event.cards as string[], best: null, made: (event.made as string | undefined) ?? null };
    state = after(state, event, shown);
    const view = viewOf(state, played);
    const said = tellPoker(event, view, name);
    if (said) frames.push({ view, line: typeof said === "string" ? said : said.text });
  }
  return frames;
}

function opening(event: WireEvent, played: PlayedRound): PokerState {
  const stacks = event.stacks as Record<string, number>;
  const absent = new Set((event.absent as number[] | undefined) ?? []);
  const players = Object.entries(stacks).map(
    ([seat, stack]): PokerPlayer => ({
      seat: Number(seat),
      stack,
      bet: 0,
      call: 0,
      status: "active",
      sitting_out: absent.has(Number(seat)),
      cards: null,
      holds: 2,
      bank: 0,
      last: null,
    }),
  );
  const blinds = (event.blinds as [number, number] | undefined) ?? [Number(played.settings.small_blind), Number(played.settings.big_blind)];
  return {
    hand: Number(event.hand),
    street: "preflop",
    board: [],
    button: (event.button as number | undefined) ?? null,
    blinds,
    ante: Number(event.ante ?? 0),
    level: 0,
    next_level_at: null,
    next_hand_at: null,
    actor: null,
    pot: 0,
    pots: [],
    players,
    result: null,
    run_out: null,
  };
}

function after(state: PokerState, event: WireEvent, shown: PokerResult["shown"]): PokerState {
  const seat = event.seat as number | undefined;
  const amount = Number(event.amount ?? 0);
  const change = (part: (player: PokerPlayer) => Partial<PokerPlayer>): PokerPlayer[] =>
    state.players.map((player) => (player.seat === seat ? { ...player, ...part(player) } : player));
  switch (event.type) {
    case "posted": {
      const dead = event.kind === "ante" || event.kind === "dead";
      const last = { type: String(event.kind), amount };
      const players = change((player) => ({ stack: player.stack - amount, bet: player.bet + (dead ? 0 : amount), last }));
      return { ...state, pot: state.pot + amount, players };
    }
    case "dealt": {
      const holds = (event.cards as string[]).length;
      const players = change(() => ({ cards: event.cards as string[] })).map((player) => ({ ...player, holds }));
      return { ...state, players };
    }
    case "acted": {
      const players = change((player) => ({
        stack: player.stack - amount,
        bet: Number(event.total ?? player.bet + amount),
        status: event.action === "fold" ? "folded" : event.all_in ? "allin" : "active",
        holds: event.action === "fold" ? 0 : player.holds,
        last: { type: String(event.action), amount: Number(event.total ?? player.bet + amount) },
      }));
      return { ...state, actor: seat ?? null, pot: state.pot + amount, players };
    }
    case "street":
      return {
        ...state,
        street: event.street as Street,
        actor: null,
        board: [...state.board, ...(event.cards as string[])],
        players: state.players.map((player) => ({ ...player, bet: 0, last: null })),
      };
    case "returned":
      return { ...state, pot: state.pot - amount, players: change((player) => ({ stack: player.stack + amount, bet: Math.max(0, player.bet - amount) })) };
    case "shown":
      return { ...state, actor: null, players: change(() => ({ cards: event.cards as string[] })) };
    case "mucked":
      return { ...state, players: change(() => ({ holds: 0 })) };
    case "hand_ended": {
      const payouts = (event.payouts as Record<string, number> | undefined) ?? {};
      const players = state.players.map((player) => ({ ...player, bet: 0, stack: player.stack + (payouts[String(player.seat)] ?? 0) }));
      const pots = (event.pots as Omit<PokerResult["pots"][number], "made">[]).map((pot) => ({ ...pot, made: shown[String(pot.winners[0])]?.made ?? null }));
      const reason = event.reason as PokerResult["reason"];
      return { ...state, actor: null, pot: 0, players, result: { hand: state.hand, pots, payouts, returned: null, shown: { ...shown }, reason } };
    }
    default:
      return state;
  }
}

function viewOf(state: PokerState, played: PlayedRound): PokerView {
  const count = Number(played.settings.seats ?? Math.max(...state.players.map((player) => player.seat)) + 1);
  const seats = Array.from({ length: count }, (_, seat) => {
    const name = played.names[String(seat)];
    return { seat, connected: true, player: name === undefined ? null : { id: played.players[String(seat)] ?? name, name, avatar: null, bot: false } };
  });
  const view: View<PokerState> = {
    code: "",
    game: "holdem",
    epoch: "",
    seq: 0,
    turn: 0,
    status: "playing",
    paused: false,
    now: 0,
    settings: played.settings,
    queued: {},
    chips_queued: [],
    waiting: [],
    host: "",
    seats,
    spectators: 0,
    requests: [],
    deadline: null,
    state,
    chat: [],
    you: null,
    private: null,
    legal: null,
  };
  return view as PokerView;
}
