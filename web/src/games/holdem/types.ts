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

export interface PokerResult {
  hand: number;
  pots: { amount: number; seats: number[]; winners: number[]; shares: number[]; made: string | null }[];
  payouts: Record<string, number>;
  returned: { seat: number; amount: number } | null;
  shown: Record<string, { cards: string[]; best: string[] | null; made: string | null }>;
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
  run_out: { board: number; chances: Record<string, { win: number; tie: number; equity: number }> }[] | null;
}

export interface PokerPrivate {
  cards: string[];
  best: string[] | null;
  /** What they make with the board, as a code. */
  made: string | null;
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
