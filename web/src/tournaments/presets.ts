import type { Settings } from "../api/types.ts";
import type { Key } from "../i18n/index.ts";
import type { Format, Level } from "./types.ts";

/** A tournament that can be announced with a tap. Whatever is not said here is the server's own default. */
export interface TournamentPreset {
  id: string;
  format: Format;
  title: Key;
  hint: Key;
  settings: Settings;
}

/** Three minutes each: about half an hour for nine. */
const TURBO: Level[] = [
  [3, 10, 20, 0],
  [3, 15, 30, 0],
  [3, 25, 50, 0],
  [3, 50, 100, 0],
  [3, 75, 150, 0],
  [3, 100, 200, 25],
  [3, 150, 300, 40],
  [3, 250, 500, 60],
  [3, 400, 800, 100],
  [3, 600, 1200, 150],
  [3, 1000, 2000, 250],
];

export const PRESETS: Record<string, readonly TournamentPreset[]> = {
  holdem: [
    { id: "sng", format: "sitngo", title: "tour.preset.sng", hint: "tour.preset.sng.hint", settings: { entries_max: 9, seats: 9 } },
    { id: "headsUp", format: "sitngo", title: "tour.preset.headsUp", hint: "tour.preset.headsUp.hint", settings: { entries_max: 2, seats: 2 } },
    { id: "turbo", format: "sitngo", title: "tour.preset.turbo", hint: "tour.preset.turbo.hint", settings: { entries_max: 9, seats: 9, action_seconds: 12, levels: TURBO as unknown as Settings[string] } },
    { id: "mtt", format: "mtt", title: "tour.preset.mtt", hint: "tour.preset.mtt.hint", settings: { reentries: 1 } },
    { id: "bounty", format: "mtt", title: "tour.preset.bounty", hint: "tour.preset.bounty.hint", settings: { buy_in: 20, bounty: 10 } },
    { id: "rebuy", format: "mtt", title: "tour.preset.rebuy", hint: "tour.preset.rebuy.hint", settings: { rebuys: 3, rebuy_until: 4, add_on: 10000 } },
  ],
  chess: [
    { id: "swiss", format: "swiss", title: "tour.preset.swiss", hint: "tour.preset.swiss.hint", settings: { rounds: 5, table: { minutes: 10, increment: 5 } } },
    { id: "roundRobin", format: "round_robin", title: "tour.preset.roundRobin", hint: "tour.preset.roundRobin.hint", settings: { table: { minutes: 10, increment: 5 } } },
    { id: "knockout", format: "knockout", title: "tour.preset.knockout", hint: "tour.preset.knockout.hint", settings: { games: 2, tiebreak: [[3, 2]], table: { minutes: 10, increment: 5 } } },
    { id: "arena", format: "arena", title: "tour.preset.arena", hint: "tour.preset.arena.hint", settings: { minutes: 60, table: { minutes: 3, increment: 2 } } },
  ],
};
