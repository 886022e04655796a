import { lastGame } from "../app/prefs.ts";
import { chess } from "./chess/entry.ts";
import type { GameEntry, GamePage, GameRoom } from "./game.ts";
import { generic } from "./generic/entry.ts";
import { holdem } from "./holdem/entry.ts";

/** The games that bring a page of their own, in the order of the lobby. */
export const GAMES: readonly GameEntry[] = [holdem, chess];

/** Whether a game brings a page, and with it words, of its own. */
export function hasPage(name: string): boolean {
  return GAMES.some((game) => game.name === name);
}

/** The game that was played last on this device, or else the first one. */
export function usualGame(): string {
  return hasPage(lastGame.value) ? lastGame.value : (GAMES[0]?.name ?? "");
}

/** The page of a game; one made from its contract for a game that brings none. */
export function gameOf(name: string): GameEntry {
  return GAMES.find((game) => game.name === name) ?? generic(name);
}

/** The page of a game at this path, where there is one. */
export const pageAt = (path: string): GamePage | undefined => GAMES.flatMap((game) => game.pages ?? []).find((page) => page.path === path);

const rooms = new Map<string, GameRoom>();

/** The room of a game, where it has been fetched already. */
export function roomAtHand(name: string): GameRoom | undefined {
  return rooms.get(name);
}

export async function roomOf(name: string): Promise<GameRoom> {
  const room = rooms.get(name) ?? (await gameOf(name).room());
  rooms.set(name, room);
  return room;
}
