/** The shapes that the page works with: those of the API, with the parts that belong to the games left open. */

import type * as wire from "./wire.ts";

export type {
  ChatLine,
  Device,
  EquityAnswer,
  Evaluation,
  Person,
  PlacedHand,
  PotShare,
  PotsAnswer,
  Problem,
  QueuedChips,
  SeatView,
  Server,
  Session,
  ShowdownAnswer,
  Suggestion,
  Transfer,
  WaiterView,
  You,
} from "./wire.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Settings = Record<string, Json>;
export type Identity = wire.Me;

/** What one viewer may see of a table. `State`, `Private` and `Legal` are the game's own. */
export interface View<State = unknown, Private = unknown, Legal = unknown>
  extends Omit<wire.View, "settings" | "queued" | "state" | "private" | "legal"> {
  settings: Settings;
  queued: Settings;
  state: State;
  private: Private | null;
  legal: Legal | null;
}

export interface TableInfo extends Omit<wire.TableInfo, "settings"> {
  settings: Settings;
}

/** A table at which one sits or that one hosts. */
export interface OwnTable extends Omit<wire.OwnTable, "settings"> {
  settings: Settings;
}

/** What somebody brought to a table and took away. */
export type LedgerLine = Required<wire.LedgerLine>;

/** Somebody who asks the host for a seat, or for chips. */
export type SeatRequest = wire.RequestView;

/** A table that somebody has saved to open it again. */
export interface Preset extends Omit<wire.Preset, "settings"> {
  settings: Settings;
}

/** An event as the viewer may see it; what is hidden arrives as `skip`. */
export interface WireEvent {
  seq: number;
  at: number;
  type: string;
  [field: string]: unknown;
}

/** One finished hand or game in a list of the record; the game decides what its summary says. */
export interface RoundLine extends Omit<wire.RoundLine, "summary"> {
  summary: Record<string, Json>;
}

/** One finished hand or game with everything that the reader may see of it. */
export interface PlayedRound extends RoundLine {
  /** By seat, of those whom the server knows still; a file that was opened has none. */
  faces?: Record<string, Pick<wire.Person, "avatar" | "bot">>;
  settings: Settings;
  events: WireEvent[];
}

export interface GameInfo extends Omit<wire.GameCard, "settings" | "actions"> {
  settings: JsonSchema;
  actions?: Record<string, JsonSchema>;
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
  /** Settings that cannot be on together with this one. */
  not_with?: string[];
  /** The setting matters only while each of these others has one of the values named. */
  only_with?: Record<string, Json[]>;
  /** Settings of one group are shown together, apart from those that everybody looks at. */
  group?: string;
  items?: JsonSchema;
  /** What stands at each place of a list of fixed length. */
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}
