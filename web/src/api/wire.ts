// Made by scripts/types.mjs from the server's OpenAPI document. Do not edit: run 'make types'.

export interface Ack {
  type: "ack";
  id: string;
  seq: number;
}

export interface Action {
  type: "action";
  id: string;
  action: unknown;
  turn?: number | null;
}

export interface Asked {
  kind: "chips" | "seat";
  seat: number | null;
  amount: number | null;
}

export interface Board {
  variant: string;
  speed: string;
  players: number;
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

export interface ChessClock {
  white: number;
  black: number;
  running: "black" | "white" | null;
  since: number;
}

export interface ChessLegal {
  moves: string[];
  actions: "move"[];
  claims: Record<string, "abandoned" | "aborted" | "agreement" | "checkmate" | "dead_position" | "fifty_moves" | "fivefold" | "insufficient_material" | "resign" | "seventyfive_moves" | "stalemate" | "threefold" | "time" | "variant">;
}

export interface ChessOpening {
  eco: string;
  name: string;
}

export interface ChessPublic {
  game: number;
  variant: "antichess" | "atomic" | "chess960" | "crazyhouse" | "horde" | "king_of_the_hill" | "racing_kings" | "standard" | "three_check";
  fen: string;
  start_fen: string;
  rated: boolean;
  opening: ChessOpening | null;
  turn: "black" | "white";
  moves: string[];
  san: string[];
  check: boolean;
  players: ChessSides;
  clock: ChessClock | null;
  draw_offer: "black" | "white" | null;
  takeback_offer: "black" | "white" | null;
  rematch_offer: "black" | "white" | null;
  claims: string[];
  result: ChessResult | null;
}

export interface ChessResult {
  winner: "black" | "white" | null;
  reason: "abandoned" | "aborted" | "agreement" | "checkmate" | "dead_position" | "fifty_moves" | "fivefold" | "insufficient_material" | "resign" | "seventyfive_moves" | "stalemate" | "threefold" | "time" | "variant";
}

export interface ChessSides {
  white: number | null;
  black: number | null;
}

export interface ChessView {
  code: string;
  game: "chess";
  epoch: string;
  seq: number;
  turn: number;
  status: "closed" | "finished" | "playing" | "waiting";
  paused: boolean;
  now: number;
  settings: Record<string, unknown>;
  queued: Record<string, unknown>;
  chips_queued: QueuedChips[];
  host: string;
  seats: SeatView[];
  waiting: WaiterView[];
  spectators: number;
  deadline: DeadlineView | null;
  state: ChessPublic | null;
  chat: ChatLine[];
  you: You | null;
  private: null;
  legal: ChessLegal | null;
  requests: RequestView[];
}

export interface Committed {
  seq: number;
}

export interface Compared {
  mine: Sum;
  theirs: Sum | null;
}

export interface Day {
  at: number;
  rounds: number;
  counts: Record<string, number>;
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

export interface Error {
  type: "error";
  id: string | null;
  problem: Problem;
}

export interface Evaluate {
  cards: string;
}

export interface Evaluation {
  rank: number;
  category: string;
  name: string;
  made: string;
  cards: string[];
  score: number;
  legacy_score: number;
}

export interface Events {
  type: "events";
  events: (Record<string, unknown>)[];
  patch?: Record<string, unknown>;
}

export interface Figure {
  value: number | null;
  low?: number | null;
  high?: number | null;
  made?: number | null;
  chances?: number | null;
}

export interface GameCard {
  name: string;
  title: string;
  settings: Record<string, unknown>;
  exports: Record<string, string>;
  bots?: string[];
  actions?: Record<string, Record<string, unknown>>;
}

export interface Health {
  status: "ok";
  away?: Record<string, string>;
}

export interface HoldemBountyPaid {
  seat: number;
  paid: Record<string, number>;
}

export interface HoldemChances {
  win: number;
  tie: number;
  equity: number;
}

export interface HoldemChoice {
  actions: string[];
  call: number;
  min: number;
  max: number;
  pot: number;
  bet: number;
  stack: number;
  call_all_in: boolean;
  all_in: number;
  sizes: HoldemSize[];
}

export interface HoldemGameName {
  variant: string;
  limit: string;
}

export interface HoldemGameQuestion {
  seat: number;
  until: number;
  games: ([string, string])[];
}

export type HoldemHandAction = [number, "flop" | "preflop" | "river" | "turn", "bet" | "call" | "check" | "fold" | "raise" | "ante" | "big_blind" | "button_blind" | "dead" | "post" | "small_blind" | "straddle", number];

export interface HoldemHandGame {
  variant: string;
  limit: string;
  boards?: number;
  bomb?: number;
  button_blind?: boolean;
  straddle?: HoldemStraddle;
  runs?: number;
  seven_deuce?: number;
}

export interface HoldemLastAction {
  type: "bet" | "call" | "check" | "fold" | "raise" | "ante" | "big_blind" | "button_blind" | "dead" | "post" | "small_blind" | "straddle";
  amount: number;
  all_in?: boolean;
}

export interface HoldemNext {
  game?: HoldemGameName;
  hands?: number;
  bomb?: boolean;
  bombs?: number[];
  straddlers?: number[];
}

export interface HoldemPartWon {
  board: number;
  side: "high" | "low";
  amount: number;
  winners: number[];
  shares: number[];
  made: string;
}

export interface HoldemPot {
  amount: number;
  seats: number[];
}

export interface HoldemPotWon {
  amount: number;
  seats: number[];
  winners: number[];
  shares: number[];
  made: string | null;
  parts?: HoldemPartWon[];
}

export interface HoldemPrivate {
  cards: string[];
  rank: string | null;
  best: string[] | null;
  made: string | null;
  more?: HoldemWorth[];
}

export interface HoldemPublic {
  hand: number;
  button: number | null;
  small_blind: number | null;
  big_blind: number | null;
  blinds: [number, number];
  ante: number;
  level: number;
  next_level_at: number | null;
  next_hand_at: number | null;
  departed: Record<string, HoldemReturn>;
  game: HoldemHandGame;
  next?: HoldemNext;
  choice?: HoldemGameQuestion;
  run?: HoldemRunQuestion;
  boards?: string[][];
  rabbit?: HoldemRabbitCards;
  bounty?: HoldemBountyPaid;
  actions: HoldemHandAction[];
  street: "flop" | "preflop" | "river" | "turn" | null;
  board: string[];
  actor: number | null;
  aggressor: number | null;
  pot: number;
  pots: HoldemPot[];
  players: HoldemSeated[];
  result: HoldemResult | null;
  run_out: HoldemRunOutStep[] | null;
}

export interface HoldemRabbitCards {
  seat: number;
  boards: string[][];
}

export interface HoldemRefund {
  seat: number;
  amount: number;
}

export interface HoldemResult {
  hand: number;
  pots: HoldemPotWon[];
  payouts: Record<string, number>;
  returned: HoldemRefund | null;
  shown: Record<string, HoldemShownHand>;
  reason: string;
}

export interface HoldemReturn {
  chips: number;
  least: number;
  most: number;
  until: number | null;
}

export interface HoldemRunOutStep {
  board: 0 | 3 | 4 | 5;
  chances: Record<string, HoldemChances>;
  on?: number;
}

export interface HoldemRunQuestion {
  seats: number[];
  most: number;
  until: number;
  answers: Record<string, number>;
}

export interface HoldemSeated {
  seat: number;
  position: "BB" | "BTN" | "CO" | "HJ" | "LJ" | "SB" | "UTG" | "UTG+1" | "UTG+2" | "UTG+3" | "UTG+4" | "UTG+5" | null;
  sitting_out: boolean;
  cards: string[] | null;
  bank: number;
  owes: number;
  stack: number;
  bet: number;
  contributed: number;
  call: number;
  status: "active" | "allin" | "busted" | "folded" | "sitting_out" | "waiting";
  holds: number;
  last: HoldemLastAction | null;
}

export interface HoldemShownHand {
  cards: string[];
  name: string | null;
  best: string[] | null;
  made: string | null;
  more?: HoldemWorth[];
}

export interface HoldemSize {
  name: "all_in" | "bet" | "big_blind" | "limit" | "pot";
  percent: number;
  to: number;
}

export interface HoldemStraddle {
  seat: number;
  amount: number;
}

export interface HoldemView {
  code: string;
  game: "holdem";
  epoch: string;
  seq: number;
  turn: number;
  status: "closed" | "finished" | "playing" | "waiting";
  paused: boolean;
  now: number;
  settings: Record<string, unknown>;
  queued: Record<string, unknown>;
  chips_queued: QueuedChips[];
  host: string;
  seats: SeatView[];
  waiting: WaiterView[];
  spectators: number;
  deadline: DeadlineView | null;
  state: HoldemPublic | null;
  chat: ChatLine[];
  you: You | null;
  private: HoldemPrivate | null;
  legal: HoldemChoice | null;
  requests: RequestView[];
}

export interface HoldemWorth {
  board: number;
  side: "high" | "low";
  name: string;
  best: string[];
  made: string;
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

export interface Import {
  text: string;
}

export interface Imported {
  rounds: (Record<string, unknown>)[];
}

export interface IssuedIdentity {
  id: string;
  name: string;
  token: string;
  avatar?: string | null;
  bot?: boolean;
}

export interface Leader {
  game: string;
  variant: string;
  speed: string;
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  last: number;
  place: number;
  id: string;
  name: string;
  avatar: string | null;
  bot: boolean;
}

export interface Leaderboard {
  game: string;
  variant: string;
  speed: string;
  boards: Board[];
  rows: Leader[];
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
  bot?: boolean;
}

export interface Move {
  action: Record<string, unknown>;
  turn?: number | null;
}

export interface NewIdentity {
  name: string;
  avatar?: string | null;
  bot?: boolean;
}

export interface NewPreset {
  name: string;
  game: string;
  settings?: Record<string, unknown>;
}

export interface NewSuggestion {
  title: string;
  suggestion: string;
}

export interface NewTable {
  game: string;
  settings?: Record<string, unknown>;
}

export interface Opponent {
  rounds: number;
  counts: Record<string, number>;
  figures: Record<string, Figure>;
  id: string;
  name: string;
  avatar: string | null;
  bot: boolean;
}

export interface OtherView {
  code: string;
  game: string;
  epoch: string;
  seq: number;
  turn: number;
  status: "closed" | "finished" | "playing" | "waiting";
  paused: boolean;
  now: number;
  settings: Record<string, unknown>;
  queued: Record<string, unknown>;
  chips_queued: QueuedChips[];
  host: string;
  seats: SeatView[];
  waiting: WaiterView[];
  spectators: number;
  deadline: DeadlineView | null;
  state: Record<string, unknown> | null;
  chat: ChatLine[];
  you: You | null;
  private: Record<string, unknown> | null;
  legal: Record<string, unknown> | null;
  requests: RequestView[];
}

export interface OwnPart {
  seats: number[];
  net: number;
  result: string | null;
  showdown: boolean;
  cards: string[];
}

export interface OwnTable {
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
  your_turn: boolean;
  deadline: number | null;
}

export interface Part {
  rounds: number;
  counts: Record<string, number>;
  figures: Record<string, Figure>;
  key: string;
}

export interface Person {
  id: string;
  name: string;
  avatar: string | null;
  bot: boolean;
}

export interface PersonAndMe {
  id: string;
  name: string;
  avatar: string | null;
  bot: boolean;
  games: Record<string, Compared>;
}

export interface Ping {
  type: "ping";
}

export interface PlaceInLine {
  place: number;
  until: number | null;
}

export interface PlacedHand {
  rank: number;
  category: string;
  name: string;
  made: string;
  cards: string[];
  score: number;
  legacy_score: number;
  place: number;
}

export interface Pong {
  type: "pong";
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

export interface Presence {
  type: "presence";
  seat: number;
  connected: boolean;
}

export interface Preset {
  id: string;
  name: string;
  game: string;
  settings: Record<string, unknown>;
}

export interface Privacy {
  statistics?: "nobody" | "together";
}

export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  retry_after?: number;
}

export interface Profile {
  id: string;
  name: string;
  avatar: string | null;
  bot: boolean;
  ratings: Rating[];
}

export interface QueuedChips {
  seat: number;
  player: string;
  chips: number;
  reason: string;
}

export interface RatedResult {
  at: number;
  rating: number;
  deviation: number;
  opponent: string;
  opponent_name: string;
  points: number;
}

export interface Rating {
  game: string;
  variant: string;
  speed: string;
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  last: number;
}

export interface RatingHistory {
  game: string;
  variant: string;
  speed: string;
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  last: number;
  history: RatedResult[];
}

export interface Redemption {
  code: string;
}

export interface RequestView {
  kind: "chips" | "seat";
  seat: number | null;
  amount: number | null;
  player: string;
  name: string;
  avatar: string | null;
  bot: boolean;
}

export interface Returned {
  seat: number;
  amount: number;
}

export interface RoundLine {
  code: string;
  game: string;
  name: string;
  number: number;
  at: number;
  ended: number;
  names: Record<string, string>;
  players: Record<string, string>;
  summary: Record<string, unknown>;
  you: OwnPart | null;
  kept: boolean;
}

export interface RoundPage {
  rounds: RoundLine[];
  next: string | null;
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

export interface Session {
  me: Me | null;
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

export interface Statistics {
  game: string;
  total: Sum;
  variants: Part[];
  formats: Part[];
  stakes: Part[];
  positions: Part[];
  opponents: Opponent[];
  series: Day[];
}

export interface Suggestion {
  title: string;
  suggestion: string;
  at: number;
}

export interface Sum {
  rounds: number;
  counts: Record<string, number>;
  figures: Record<string, Figure>;
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

export interface TableRound {
  code: string;
  game: string;
  name: string;
  number: number;
  at: number;
  ended: number;
  names: Record<string, string>;
  players: Record<string, string>;
  summary: Record<string, unknown>;
  you: OwnPart | null;
  kept: boolean;
  first: number;
  last: number;
  settings: Record<string, unknown>;
}

export interface Ticket {
  ticket: string;
}

export interface Transfer {
  code: string;
  link: string;
  expires: number;
}

export type View = ChessView | HoldemView | OtherView;

export interface Wait {
  type: "wait";
  id: string;
}

export interface WaiterView {
  player: string;
  name: string;
  avatar: string | null;
  bot: boolean;
  until: number | null;
}

export interface Welcome {
  type: "welcome";
  epoch: string;
  seq: number;
  resumed: boolean;
  events: (Record<string, unknown>)[];
  view?: View;
}

export interface Withdraw {
  type: "withdraw";
  id: string;
}

export interface You {
  id: string;
  name: string;
  seats: number[];
  host: boolean;
  muted: boolean;
  kicked: boolean;
  kick_reason: string;
  request: Asked | null;
  waiting: PlaceInLine | null;
  options: string[];
}
