import type { GameEntry } from "../game.ts";

/** A game that brings no page of its own: one is made from its contract. */
export function generic(name: string): GameEntry {
  return {
    name,
    mark: "◆",
    round: "game",
    presets: [],
    house: null,
    stakes: () => "",
    room: async () => (await import("./room.ts")).room,
  };
}
