/** The shapes of a tournament, as the API has them. */
import type { Settings } from "../api/types.ts";
import type * as wire from "../api/wire.ts";

export type { ClockView, DealView, EntryView, LevelView, Pairing, RoundPairings, SeatChange, Standing, TournamentTable } from "../api/wire.ts";

export type Format = wire.TournamentInfo["format"];

export interface TournamentView extends Omit<wire.TournamentView, "settings"> {
  settings: Settings;
}

export type Info = wire.TournamentInfo;

/** `[length, small blind, big blind, ante]`; the length is in minutes or in hands. */
export type Level = readonly [length: number, small: number, big: number, ante: number];

/** `[after level, minutes]`. */
export type Break = readonly [after: number, minutes: number];
