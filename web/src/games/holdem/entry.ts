import { loadWords } from "../../i18n/index.ts";
import { blindsOf } from "../../lobby/describe.ts";
import type { GameEntry } from "../game.ts";

export const holdem: GameEntry = {
  name: "holdem",
  mark: "♠",
  round: "hand",
  stakes: blindsOf,
  presets: [
    {
      id: "home",
      title: "preset.home",
      hint: "preset.home.hint",
      settings: { small_blind: 1, big_blind: 2, buy_in: 200, min_buy_in: 40, max_buy_in: 400, action_seconds: 30 },
    },
    {
      id: "quick",
      title: "preset.quick",
      hint: "preset.quick.hint",
      settings: { seats: 6, small_blind: 5, big_blind: 10, buy_in: 500, min_buy_in: 200, max_buy_in: 1000, action_seconds: 15 },
    },
    {
      id: "relaxed",
      title: "preset.relaxed",
      hint: "preset.relaxed.hint",
      settings: { small_blind: 1, big_blind: 2, buy_in: 200, min_buy_in: 40, max_buy_in: 400, action_seconds: 0 },
    },
    {
      id: "rising",
      title: "preset.rising",
      hint: "preset.rising.hint",
      settings: {
        small_blind: 10,
        big_blind: 20,
        buy_in: 2000,
        min_buy_in: 2000,
        max_buy_in: 2000,
        action_seconds: 20,
        levels: [
          [10, 10, 20, 0],
          [10, 20, 40, 0],
          [10, 40, 80, 0],
          [10, 75, 150, 0],
          [10, 150, 300, 0],
          [10, 300, 600, 0],
        ],
      },
    },
  ],
  house: {
    settings: { seats: 6, small_blind: 1, big_blind: 2, buy_in: 200, min_buy_in: 40, max_buy_in: 400, action_seconds: 0, private: true },
    bots: 3,
    sitAndGo: true,
    styles: [
      ["balanced", "style.balanced"],
      ["tight", "style.tight"],
      ["loose", "style.loose"],
      ["aggressive", "style.aggressive"],
      ["level1", "style.level1"],
      ["level2", "style.level2"],
      ["level3", "style.level3"],
      ["level4", "style.level4"],
      ["level5", "style.level5"],
    ],
  },
  async room() {
    const [room] = await Promise.all([import("./room.ts"), loadWords("holdem")]);
    return room.room;
  },
};
