// Made by scripts/types.mjs from the server's OpenAPI document. Do not edit: run 'make types'.

export interface Action {
  type: "action";
  id: string;
  action: unknown;
  turn?: number | null;
}

export interface Chat {
  type: "chat";
  id: string;
  text: string;
}

export interface ChatLine {
  at: number;
  player: string;
  name: string;
  text: string;
  seat?: number | null;
}

export interface Committed {
  seq: number;
}

export interface DeadlineView {
  at: number;
  seat: number | null;
}

export interface Device {
  id: string;
  device: string;
  created: number;
  used: number;
  current: boolean;
}

export interface EquityAnswer {
  players: EquityShare[];
  exact: boolean;
  boards: number;
  stderr: number;
}

export interface EquityQuestion {
  hands: string[];
  board?: string;
  dead?: string;
  trials?: number | null;
}

export interface EquityShare {
  win: number;
  tie: number;
  equity: number;
}

export interface Evaluate {
  cards: string;
}

export interface Evaluation {
  rank: number;
  category: string;
  name: string;
  cards: string[];
  score: number;
  legacy_score: number;
}

export interface GameCard {
  name: string;
  title: string;
  settings: Record<string, unknown>;
  exports: Record<string, string>;
  bots?: string[];
}

export interface Health {
  status: "ok";
}

export interface Host {
  type: "host";
  id: string;
  power: string;
  args?: Record<string, unknown>;
}

export interface IdentityChange {
  name?: string | null;
  avatar?: string | null;
}

export interface IssuedIdentity {
  id: string;
  name: string;
  token: string;
  avatar?: string | null;
}

export interface Leave {
  type: "leave";
  id: string;
}

export interface LedgerLine {
  player: string;
  name: string;
  brought?: number;
  taken?: number;
}

export interface Me {
  id: string;
  name: string;
  avatar?: string | null;
}

export interface Move {
  action: Record<string, unknown>;
  turn?: number | null;
}

export interface NewIdentity {
  name: string;
  avatar?: string | null;
}

export interface NewSuggestion {
  title: string;
  suggestion: string;
}

export interface NewTable {
  game: string;
  settings?: Record<string, unknown>;
}

export interface Person {
  id: string;
  name: string;
  avatar: string | null;
  bot: boolean;
}

export interface Ping {
  type: "ping";
}

export interface PlacedHand {
  rank: number;
  category: string;
  name: string;
  cards: string[];
  score: number;
  legacy_score: number;
  place: number;
}

export interface PotShare {
  amount: number;
  seats: number[];
  winners?: number[];
  shares?: number[];
}

export interface PotsAnswer {
  pots: PotShare[];
  returned: Returned | null;
}

export interface PotsQuestion {
  stakes: number[];
  folded?: number[];
}

export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  retry_after?: number;
}

export interface Redemption {
  code: string;
}

export interface Returned {
  seat: number;
  amount: number;
}

export interface RoundRecord {
  number: number;
  first: number;
  last: number;
  at: number;
  ended: number;
  names: Record<string, string>;
  players: Record<string, string>;
  settings: Record<string, unknown>;
}

export interface Say {
  text: string;
}

export interface SeatView {
  seat: number;
  player: Person | null;
  connected: boolean;
}

export interface Server {
  name: string;
  url: string;
  version: string;
}

export interface ShowdownAnswer {
  pots: PotShare[];
  payouts: number[];
  returned: Returned | null;
  hands: (PlacedHand | null)[];
}

export interface ShowdownQuestion {
  board: string;
  hands: (string | null)[];
  stakes: number[];
  button?: number;
  smallest_chip?: number;
}

export interface Sit {
  type: "sit";
  id: string;
  seat?: number | null;
  options?: Record<string, unknown>;
}

export interface SitDown {
  seat?: number | null;
  buy_in?: number | null;
  options?: Record<string, unknown>;
}

export interface Start {
  type: "start";
  id: string;
}

export interface Suggestion {
  title: string;
  suggestion: string;
  at: number;
}

export interface TableInfo {
  code: string;
  game: string;
  title: string;
  name: string;
  host: string;
  host_name: string;
  status: string;
  players: number;
  seats: number;
  private: boolean;
  settings: Record<string, unknown>;
  created: number;
  updated: number;
}

export interface Ticket {
  ticket: string;
}

export interface Transfer {
  code: string;
  link: string;
  expires: number;
}

export interface View {
  code: string;
  game: string;
  epoch: string;
  seq: number;
  turn: number;
  status: "closed" | "finished" | "playing" | "waiting";
  paused: boolean;
  now: number;
  settings: Record<string, unknown>;
  host: string;
  seats: SeatView[];
  spectators: number;
  deadline: DeadlineView | null;
  state: Record<string, unknown> | null;
  chat: ChatLine[];
  you: You | null;
  private: Record<string, unknown> | null;
  legal: Record<string, unknown> | null;
  requests: (Record<string, unknown>)[];
}

export interface You {
  id: string;
  name: string;
  seats: number[];
  host: boolean;
  muted: boolean;
  options: string[];
}
