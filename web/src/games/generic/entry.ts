import { loadWords } from "../../i18n/index.ts";
import type { GameEntry } from "../game.ts";
import { loadOffered } from "../offered.ts";

/** A game that brings no page of its own: one is made from its contract. */
export function generic(name: string): GameEntry {
  return {
    name,
    mark: "◆",
    round: "round",
    presets: [],
    house: null,
    stakes: () => "",
    async room() {
      // Cards have their names in the words of poker.
      const [{ genericRoom }] = await Promise.all([import("./room.ts"), loadOffered(), loadWords("generic", "history", "holdem", "settings")]);
      return genericRoom();
    },
  };
}
