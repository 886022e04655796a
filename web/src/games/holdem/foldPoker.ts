import type { PlayedRound, View, WireEvent } from "../../api/types.ts";
import { t } from "../../i18n/index.ts";
import { tellPoker } from "./narrate.ts";
import { cardNames } from "./words.ts";
import type { PokerPart, PokerPlayer, PokerResult, PokerState, PokerView, Street } from "./types.ts";

export interface Frame {
  view: PokerView;
  line: string;
}

/** The table after each event of a hand, as the reader may see it. */
export function framesOf(played: PlayedRound): Frame[] {
  const name = (seat: unknown) => played.names[String(seat)] ?? String(Number(seat) + 1);
  const frames: Frame[] = [];
  const known = new Set(played.events.filter((event) => event.type === "dealt").map((event) => event.seat));
  const shown: PokerResult["shown"] = {};
  let state: PokerState | null = null;
  for (const event of played.events) {
    if (event.type === "hand_started") state = opening(event, played);
    if (!state) continue;
    if (event.type === "shown") shown[String(event.seat)] = shownBy(event);
    state = after(state, event, shown);
    const view = viewOf(state, played);
    // Files of others may tell everybody's cards: then none of them are the reader's.
    const said = event.type === "dealt" && known.size > 1 ? t("say.dealtTo", { name: name(event.seat), cards: cardNames(event.cards as string[]) }) : tellPoker(event, view, name);
    if (said) frames.push({ view, line: typeof said === "string" ? said : said.text });
  }
  return frames;
}

function shownBy(event: WireEvent): PokerResult["shown"][string] {
  const made = (event.made as string | undefined) ?? null;
  const low = event.low as string | undefined;
  return { cards: event.cards as string[], best: null, made, more: low ? [{ board: 0, side: "low", best: null, made: low }] : [] };
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
  const boards = Number(event.boards ?? 1);
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
    game: {
      variant: String(event.variant ?? played.settings.variant ?? "holdem"),
      limit: String(event.limit ?? played.settings.limit ?? "no-limit"),
      ...(event.bomb ? { bomb: Number(event.bomb) } : {}),
      ...(event.button_blind ? { button_blind: true } : {}),
      ...(boards > 1 ? { boards } : {}),
      ...(event.seven_deuce ? { seven_deuce: Number(event.seven_deuce) } : {}),
    },
    boards: boards > 1 ? Array.from({ length: boards }, () => []) : undefined,
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
      const dealt = (event.cards as string[]).length;
      const players = change(() => ({ cards: event.cards as string[] })).map((player) => ({ ...player, holds: dealt - (player.cards?.length ?? 0) }));
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
    case "street": {
      const on = Number(event.board ?? 0);
      const grown = [...(state.boards?.[on] ?? state.board), ...(event.cards as string[])];
      return {
        ...state,
        street: event.street as Street,
        actor: null,
        board: on ? state.board : grown,
        boards: state.boards?.map((one, index) => (index === on ? grown : one)),
        players: state.players.map((player) => ({ ...player, bet: 0, last: null })),
      };
    }
    case "runs_agreed": {
      const times = Number(event.times);
      return times > 1 ? { ...state, boards: Array.from({ length: times }, () => state.board) } : state;
    }
    case "rabbit":
      return { ...state, rabbit: { seat: seat ?? 0, boards: event.boards as string[][] } };
    case "bounty": {
      const paid = event.paid as Record<string, number>;
      const sum = Object.values(paid).reduce((all, chips) => all + chips, 0);
      const players = state.players.map((player) => ({ ...player, stack: player.stack + (player.seat === seat ? sum : -(paid[String(player.seat)] ?? 0)) }));
      return { ...state, players, bounty: { seat: seat ?? 0, paid } };
    }
    case "returned":
      return { ...state, pot: state.pot - amount, players: change((player) => ({ stack: player.stack + amount, bet: Math.max(0, player.bet - amount) })) };
    case "shown":
      return { ...state, actor: null, players: change((player) => ({ cards: event.cards as string[], holds: Math.max(0, player.holds - (event.cards as string[]).length + (player.cards?.length ?? 0)) })) };
    case "mucked":
      return { ...state, players: change(() => ({ holds: 0 })) };
    case "hand_ended": {
      const payouts = (event.payouts as Record<string, number> | undefined) ?? {};
      const players = state.players.map((player) => ({ ...player, bet: 0, stack: player.stack + (payouts[String(player.seat)] ?? 0) }));
      const pots = (event.pots as Omit<PokerResult["pots"][number], "made">[]).map((pot) => ({
        ...pot,
        made: shown[String(pot.winners[0])]?.made ?? null,
        ...(pot.parts?.length ? { parts: pot.parts.map((part) => ({ ...part, made: madeFor(part, shown) })) } : {}),
      }));
      const reason = event.reason as PokerResult["reason"];
      return { ...state, actor: null, pot: 0, players, result: { hand: state.hand, pots, payouts, returned: null, shown: { ...shown }, reason } };
    }
    default:
      return state;
  }
}

/** What won a part, as far as the record tells it: it names the hands on the first board. */
function madeFor({ board, side, winners }: PokerPart, shown: PokerResult["shown"]): string | null {
  const hand = shown[String(winners[0])];
  if (board > 0 || !hand) return null;
  return side === "high" ? hand.made : (hand.more?.[0]?.made ?? null);
}

function viewOf(state: PokerState, played: PlayedRound): PokerView {
  const count = Number(played.settings.seats ?? Math.max(...state.players.map((player) => player.seat)) + 1);
  const seats = Array.from({ length: count }, (_, seat) => {
    const name = played.names[String(seat)];
    const { avatar, bot } = played.faces?.[String(seat)] ?? { avatar: null, bot: false };
    return { seat, connected: true, player: name === undefined ? null : { id: played.players[String(seat)] ?? name, name, avatar, bot } };
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
    tournament: null,
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
