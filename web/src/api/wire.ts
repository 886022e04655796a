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

export interface Build {
  version: string;
  commit: string | null;
}

export interface CalledTo {
  table?: string | null;
  seat?: number | null;
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
  claims: Record<string, "abandoned" | "aborted" | "agreement" | "checkmate" | "dead_position" | "fifty_moves" | "fivefold" | "forfeit" | "insufficient_material" | "resign" | "seventyfive_moves" | "stalemate" | "threefold" | "time" | "variant">;
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
  reason: "abandoned" | "aborted" | "agreement" | "checkmate" | "dead_position" | "fifty_moves" | "fivefold" | "forfeit" | "insufficient_material" | "resign" | "seventyfive_moves" | "stalemate" | "threefold" | "time" | "variant";
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
  tournament: string | null;
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

export interface ClockView {
  kind: "arena" | "break" | "level" | "round" | "start" | null;
  ends_at: number | null;
  remaining: number | null;
  running: boolean;
  hands_left: number | null;
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

export interface DealProposal {
  kind: "chips" | "icm";
  agree?: boolean;
}

export interface DealView {
  kind: "chips" | "icm";
  shares: Record<string, number>;
  agreed: number[];
}

export interface Device {
  id: string;
  device: string;
  created: number;
  used: number;
  current: boolean;
  ends?: number | null;
}

export interface Entered {
  entry: number;
  seq: number;
}

export interface EntryView {
  entry: number;
  player: Person;
  status: "entered" | "out" | "playing" | "removed" | "withdrawn";
  table: string | null;
  seat: number | null;
  chips: number | null;
  points: number | null;
  entered_at: number;
  reentries: number;
  rebuys: number;
  bounties: number;
  late: boolean;
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

export interface Farewell {
  name: string;
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
  ratings?: Record<string, number>;
  actions?: Record<string, Record<string, unknown>>;
}

export interface Grace {
  left: number;
  at: number;
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
  tournament: string | null;
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

export interface LadderEntrant {
  id: string;
  name: string;
  style: string | null;
  online: boolean;
  rating: number;
  deviation: number;
  interval: [number, number];
  provisional: boolean;
  matches: number;
  wins: number;
  draws: number;
  losses: number;
  last: number | null;
  history: LadderPoint[];
}

export interface LadderMatch {
  id: string;
  game: string;
  began: number;
  ended: number | null;
  rounds: number;
  table: string | null;
  sides: [MatchSide, MatchSide];
}

export interface LadderPage {
  game: "chess" | "holdem";
  state: "off" | "playing" | "waiting";
  entrants: LadderEntrant[];
}

export interface LadderPoint {
  at: number;
  rating: number;
  deviation: number;
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

export interface LevelView {
  number: number;
  small_blind: number;
  big_blind: number;
  ante: number;
  next: NextLevel | null;
}

export interface MatchSide {
  id: string;
  name: string;
  style: string | null;
  points: number | null;
  result: number | null;
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

export interface NewTournament {
  game: string;
  name: string;
  format: "arena" | "knockout" | "mtt" | "round_robin" | "sitngo" | "swiss";
  settings?: Record<string, unknown>;
}

export interface NextLevel {
  number: number;
  small_blind: number;
  big_blind: number;
  ante: number;
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
  tournament: string | null;
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

export interface Pairing {
  board: number;
  table: string | null;
  white: number | null;
  black: number | null;
  result: "+--" | "--+" | "---" | "0-1" | "1-0" | "1/2-1/2" | "bye" | "half-bye" | null;
  kind: "armageddon" | "game" | "tiebreak";
}

export interface Part {
  rounds: number;
  counts: Record<string, number>;
  figures: Record<string, Figure>;
  key: string;
}

export interface Payout {
  place: number;
  prize: number;
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
  replace?: boolean;
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

export interface RoundPairings {
  number: number;
  pairings: Pairing[];
}

export interface Say {
  text: string;
}

export interface SeatChange {
  entry: number;
  from: number | null;
  to: number;
  seat: number;
  at: number;
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
  ends?: number | null;
  renewable?: boolean;
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

export interface Standing {
  place: number;
  place_to: number;
  entry: number;
  prize: number | null;
  chips: number | null;
  points: number | null;
  tiebreaks: Record<string, number>;
  bounty: number;
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

export interface TournamentCode {
  code: string;
}

export interface TournamentHost {
  id: string;
  name: string;
}

export interface TournamentInfo {
  code: string;
  name: string;
  game: string;
  format: "arena" | "knockout" | "mtt" | "round_robin" | "sitngo" | "swiss";
  status: "break" | "finished" | "registering" | "running";
  host: TournamentHost;
  players: number;
  entries_max: number;
  start_at: number | null;
  created: number;
  private: boolean;
  yours: boolean;
  late_until: number | null;
}

export interface TournamentSeat {
  seat: number;
  entry: number;
  chips: number | null;
}

export interface TournamentTable {
  number: number;
  code: string;
  status: "closed" | "paused" | "playing" | "waiting";
  round: number;
  seats: TournamentSeat[];
  final: boolean;
}

export interface TournamentView {
  code: string;
  name: string;
  game: string;
  format: "arena" | "knockout" | "mtt" | "round_robin" | "sitngo" | "swiss";
  status: "break" | "finished" | "registering" | "running";
  paused: boolean;
  host: TournamentHost;
  created: number;
  start_at: number | null;
  started_at: number | null;
  ended_at: number | null;
  settings: Record<string, unknown>;
  seq: number;
  entries: EntryView[];
  level: LevelView | null;
  clock: ClockView;
  tables: TournamentTable[];
  standings: Standing[];
  payouts: Payout[];
  pool: number;
  average_stack: number | null;
  players_left: number;
  rounds: RoundPairings[];
  rounds_planned: number | null;
  hand_for_hand: boolean;
  deal: DealView | null;
  moves: SeatChange[];
  you: TournamentYou | null;
  table: string | null;
}

export interface TournamentYou {
  entry: number | null;
  host: boolean;
  can: ("add_on" | "deal" | "enter" | "rebuy" | "reenter" | "start" | "withdraw")[];
}

export interface Transfer {
  code: string;
  link: string;
  expires: number;
}

export interface TransferCode {
  code: string;
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

export interface WaitingBot {
  game?: "chess" | "holdem";
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
  moved_to: string | null;
  moved_at: number | null;
  grace: Grace | null;
  request: Asked | null;
  waiting: PlaceInLine | null;
  options: string[];
}
