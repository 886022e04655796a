import { offeredGame } from "../games/offered.ts";

/** A notation in which rounds can be kept: the ending of a file with one of them, and of one with many. */
export interface Notation {
  one: string;
  many: string;
  name: string;
}

const NAMES: Record<string, string> = { phh: "PHH", ohh: "Open Hand History", txt: "PokerStars", pgn: "PGN" };
const MANY: Record<string, string> = { phh: "phhs" };

/** The notations that the server writes for a game. */
export function notationsOf(game: string): Notation[] {
  return Object.keys(offeredGame(game)?.exports ?? {}).map((ending) => ({ one: ending, many: MANY[ending] ?? ending, name: NAMES[ending] ?? `.${ending}` }));
}
