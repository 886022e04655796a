import type { View } from "../../api/types.ts";

export type Colour = "white" | "black";

export interface ChessState {
  game: number;
  variant: string;
  fen: string;
  start_fen: string;
  rated: boolean;
  opening: { eco: string; name: string } | null;
  turn: Colour;
  moves: string[];
  san: string[];
  check: boolean;
  players: Record<Colour, number | null>;
  clock: { white: number; black: number; running: Colour | null; since: number } | null;
  draw_offer: Colour | null;
  takeback_offer: Colour | null;
  rematch_offer: Colour | null;
  claims: string[];
  result: { winner: Colour | null; reason: string } | null;
}

export interface ChessLegal {
  moves: string[];
  actions: string[];
  /** Moves with which a draw may be claimed before they are made, each with the ground for it. */
  claims: Record<string, string>;
}

export type ChessView = View<ChessState, null, ChessLegal>;

export const other = (colour: Colour): Colour => (colour === "white" ? "black" : "white");

/** Whether it is known who plays which colour. */
export const coloursKnown = ({ state, settings }: ChessView): boolean => state.game > 0 || settings.side === "white" || settings.side === "black";

/** Who plays a colour. Before the first game the seats wait in the order that the settings give them. */
export function seatOf({ state, settings }: ChessView, colour: Colour): number | null {
  if (state.game > 0) return state.players[colour];
  return (settings.side === "black") === (colour === "black") ? 0 : 1;
}

/** Whether the engine knows the rules: of the variants it knows only chess from another start. */
export function engineKnows(variant: string): boolean {
  return variant === "standard" || variant === "chess960";
}
