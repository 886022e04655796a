/** The shapes on the wire, as docs/api.md and /openapi.json describe them. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Settings = Record<string, Json>;

export interface Problem {
  title: string;
  status: number;
  detail?: string;
  code?: string;
}

export interface Identity {
  id: string;
  name: string;
  avatar?: string | null;
  token?: string;
}

export interface Person {
  id: string;
  name: string;
  avatar?: string | null;
  bot?: boolean;
}

export interface SeatView {
  seat: number;
  player: Person | null;
  connected: boolean;
}

/** Somebody who asks the host for a seat. */
export interface SeatRequest {
  player: string;
  name: string;
  avatar?: string | null;
  seat?: number | null;
}

export interface ChatLine {
  at: number;
  player: string;
  name: string;
  seat?: number | null;
  text: string;
}

export interface You {
  id: string;
  name: string;
  seats: number[];
  host: boolean;
  muted: boolean;
  options: string[];
}

export type Status = "waiting" | "playing" | "finished" | "closed";

/** What one viewer may see of a table. `State`, `Private` and `Legal` are the game's own. */
export interface View<State = unknown, Private = unknown, Legal = unknown> {
  code: string;
  game: string;
  epoch: string;
  seq: number;
  turn: number;
  status: Status;
  paused: boolean;
  now: number;
  settings: Settings;
  host: string | null;
  seats: SeatView[];
  spectators: number;
  requests?: SeatRequest[] | null;
  deadline: { at: number; seat: number | null } | null;
  state: State;
  chat: ChatLine[];
  you: You | null;
  private: Private | null;
  legal: Legal | null;
}

/** An event as the viewer may see it; what is hidden arrives as `skip`. */
export interface WireEvent {
  seq: number;
  at: number;
  type: string;
  [field: string]: unknown;
}

export interface TableInfo {
  code: string;
  game: string;
  name: string;
  status: Status;
  host: string;
  host_name: string;
  settings: Settings;
  seats: number;
  players: number;
}

export interface GameInfo {
  name: string;
  title: string;
  settings: JsonSchema;
  exports: Record<string, string>;
}

export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: Json;
  enum?: Json[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

export interface LedgerLine {
  player: string;
  name: string;
  brought: number;
  taken: number;
}

/** One finished hand or game, in a table's history. */
export interface RoundRecord {
  number: number;
  at: number;
  ended: number;
  names: Record<string, string>;
  players: Record<string, string>;
  settings: Settings;
}

export interface PlayedRound extends RoundRecord {
  events: WireEvent[];
}

export interface ServerInfo {
  name: string;
  url: string;
  tables?: number;
}
