import type { View } from "../../api/types.ts";

export type Street = "preflop" | "flop" | "turn" | "river";

export interface PokerPlayer {
  seat: number;
  stack: number;
  bet: number;
  /** What this player has put into the pots of the hand; records do not tell it. */
  contributed?: number;
  /** What this player would have to add to go on. */
  call: number;
  status: "active" | "folded" | "allin" | "waiting" | "sitting_out" | "busted";
  /** Away or sitting out; where the absent are blinded out, such a player is dealt in all the same. */
  sitting_out: boolean;
  cards: string[] | null;
  holds: number;
  bank: number;
  last: { type: string; amount?: number; all_in?: boolean } | null;
  owes?: number;
}

/** A part of a pot: what one board pays for the best high or low hand on it. */
export interface PokerPart {
  board: number;
  side: "high" | "low";
  amount: number;
  winners: number[];
  shares: number[];
  made?: string | null;
}

/** What a hand makes beyond the high on the first board. */
export interface PokerWorth {
  board: number;
  side: "high" | "low";
  best: string[] | null;
  made: string | null;
}

export interface PokerGame {
  variant: string;
  limit: string;
}

export interface PokerResult {
  hand: number;
  pots: { amount: number; seats: number[]; winners: number[]; shares: number[]; made: string | null; parts?: PokerPart[] }[];
  payouts: Record<string, number>;
  returned: { seat: number; amount: number } | null;
  shown: Record<string, { cards: string[]; best: string[] | null; made: string | null; more?: PokerWorth[] }>;
  reason: "showdown" | "fold";
}

export interface PokerState {
  hand: number;
  street: Street | null;
  board: string[];
  button: number | null;
  blinds: [number, number];
  ante: number;
  level: number;
  next_level_at: number | null;
  /** When the next hand is dealt, where that is set. */
  next_hand_at: number | null;
  actor: number | null;
  pot: number;
  pots: { amount: number; seats: number[] }[];
  players: PokerPlayer[];
  result: PokerResult | null;
  /** Once hands lie open with streets to come: what each could expect, before and after every street. */
  run_out: { board: number; on?: number; chances: Record<string, { win: number; tie: number; equity: number }> }[] | null;
  /** What is played in this hand, and what the host has added to it. */
  game?: PokerGame & {
    boards?: number;
    bomb?: number;
    button_blind?: boolean;
    straddle?: { seat: number; amount: number };
    /** How often the board is dealt, from twice on. */
    runs?: number;
    seven_deuce?: number;
  };
  /** All boards, where there are several; `board` is the first of them. */
  boards?: string[][] | undefined;
  /** Whether the board is to be dealt several times, while that is asked. */
  run?: { seats: number[]; most: number; until: number | null; answers: Record<string, number> } | undefined;
  /** The cards that would have come, of each board. */
  rabbit?: { seat: number; boards: string[][] } | undefined;
  bounty?: { seat: number; paid: Record<string, number> } | undefined;
  choice?: { seat: number; until: number | null; games: [string, string][] } | undefined;
  next?: { game?: PokerGame; hands?: number; bomb?: boolean; bombs?: number[]; straddlers?: number[] } | undefined;
}

export interface PokerPrivate {
  cards: string[];
  best: string[] | null;
  /** What they make with the board, as a code. */
  made: string | null;
  more?: PokerWorth[];
}

/** A bet or raise to choose: `percent` of what `name` says comes to the total `to` on this street. */
export interface PokerSize {
  name: "big_blind" | "bet" | "pot" | "limit" | "all_in";
  percent: number;
  to: number;
}

/** What one may do and what it costs; bets and raises are totals on this street. */
export interface PokerLegal {
  actions: ("fold" | "check" | "call" | "bet" | "raise" | "allin")[];
  call: number;
  call_all_in: boolean;
  min: number;
  max: number;
  all_in: number;
  pot: number;
  bet: number;
  stack: number;
  sizes: PokerSize[];
}

export type PokerView = View<PokerState, PokerPrivate, PokerLegal>;
