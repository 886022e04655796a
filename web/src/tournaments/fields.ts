import type { Json } from "../api/types.ts";
import type { Format } from "./types.ts";

/** A setting of a new tournament in the form: the server's default is what it begins with. */
export interface TournamentField {
  name: string;
  kind: "number" | "switch" | "choice";
  usual: Json;
  min?: number;
  max?: number;
  step?: number | "any";
  /** What may be chosen; the choices of a table are those that the game names, with its own default. */
  options?: readonly string[];
  /** Whether it is a setting of the tables. */
  table?: boolean;
  /** Shown only while another setting is on. */
  with?: string;
  formats: readonly Format[];
  group: "play" | "buying" | "prizes" | "pace";
}

const POKER: readonly Format[] = ["sitngo", "mtt"];
const CHESS: readonly Format[] = ["swiss", "round_robin", "knockout", "arena"];
const MTT: readonly Format[] = ["mtt"];

export const FIELDS: readonly TournamentField[] = [
  { name: "variant", kind: "choice", usual: null, table: true, formats: POKER, group: "play" },
  { name: "limit", kind: "choice", usual: null, table: true, formats: POKER, group: "play" },
  { name: "seats", kind: "number", usual: 9, min: 2, max: 10, formats: POKER, group: "play" },
  { name: "stack", kind: "number", usual: 1500, min: 100, max: 1_000_000, formats: ["sitngo"], group: "play" },
  { name: "stack", kind: "number", usual: 10000, min: 100, max: 1_000_000, formats: MTT, group: "play" },
  { name: "ante_type", kind: "choice", usual: "each", options: ["each", "big_blind"], formats: POKER, group: "play" },
  { name: "late_until", kind: "number", usual: 4, min: 0, max: 100, formats: MTT, group: "buying" },
  { name: "reentries", kind: "number", usual: 0, min: 0, max: 100, formats: MTT, group: "buying" },
  { name: "rebuys", kind: "number", usual: 0, min: 0, max: 100, formats: MTT, group: "buying" },
  { name: "rebuy_until", kind: "number", usual: 0, min: 0, max: 100, formats: MTT, with: "rebuys", group: "buying" },
  { name: "add_on", kind: "number", usual: 0, min: 0, max: 1_000_000, formats: MTT, group: "buying" },
  { name: "buy_in", kind: "number", usual: 10, min: 0, max: 1_000_000, formats: POKER, group: "prizes" },
  { name: "bounty", kind: "number", usual: 0, min: 0, max: 1_000_000, formats: POKER, group: "prizes" },
  { name: "deals", kind: "switch", usual: true, formats: POKER, group: "prizes" },
  { name: "hand_for_hand", kind: "switch", usual: true, formats: MTT, group: "prizes" },
  { name: "action_seconds", kind: "number", usual: 20, min: 5, max: 3600, formats: POKER, group: "pace" },
  { name: "time_bank", kind: "number", usual: 30, min: 0, max: 3600, formats: POKER, group: "pace" },
  { name: "hand_delay", kind: "number", usual: 3, min: 0, max: 60, step: "any", formats: POKER, group: "pace" },

  { name: "variant", kind: "choice", usual: null, table: true, formats: CHESS, group: "play" },
  { name: "minutes", kind: "number", usual: 10, min: 0, max: 180, step: "any", table: true, formats: CHESS, group: "play" },
  { name: "increment", kind: "number", usual: 5, min: 0, max: 180, table: true, formats: CHESS, group: "play" },
  { name: "rounds", kind: "number", usual: null, min: 1, max: 100, formats: ["swiss"], group: "play" },
  { name: "cycles", kind: "number", usual: 1, min: 1, max: 4, formats: ["round_robin"], group: "play" },
  { name: "games", kind: "number", usual: 1, min: 1, max: 12, formats: ["knockout"], group: "play" },
  { name: "minutes", kind: "number", usual: 60, min: 1, max: 1440, formats: ["arena"], group: "play" },
  { name: "late_until", kind: "number", usual: 2, min: 0, max: 50, formats: ["swiss"], group: "buying" },
  { name: "round_pause", kind: "number", usual: 30, min: 0, max: 3600, formats: ["swiss", "round_robin", "knockout"], group: "pace" },
  { name: "round_pause", kind: "number", usual: 5, min: 0, max: 3600, formats: ["arena"], group: "pace" },
  { name: "forfeit", kind: "number", usual: 300, min: 5, max: 3600, formats: CHESS, group: "pace" },
];
