import type { Settings } from "../api/types.ts";
import type { Key } from "../i18n/index.ts";

export interface Preset {
  id: string;
  title: Key;
  hint: Key;
  settings: Settings;
}

/** Tables that can be opened with a tap. Whatever is not said here is the game's own default. */
export const PRESETS: Record<string, readonly Preset[]> = {
  holdem: [
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
  chess: [
    { id: "blitz", title: "preset.blitz", hint: "preset.blitz.hint", settings: { minutes: 5, increment: 3 } },
    { id: "rapid", title: "preset.rapid", hint: "preset.rapid.hint", settings: { minutes: 15, increment: 10 } },
    { id: "untimed", title: "preset.untimed", hint: "preset.untimed.hint", settings: { untimed: true } },
    { id: "screen", title: "preset.screen", hint: "preset.screen.hint", settings: { untimed: true, same_screen: true } },
  ],
};

/** A table for one person and the house: how many house players come, and the ways they can play, the usual one first. */
export const HOUSE: Record<string, { settings: Settings; bots: number; styles: readonly [string, Key][] }> = {
  holdem: {
    settings: { seats: 6, small_blind: 1, big_blind: 2, buy_in: 200, min_buy_in: 40, max_buy_in: 400, action_seconds: 0, private: true },
    bots: 3,
    styles: [
      ["balanced", "style.balanced"],
      ["tight", "style.tight"],
      ["loose", "style.loose"],
      ["aggressive", "style.aggressive"],
    ],
  },
  chess: {
    settings: { untimed: true, private: true },
    bots: 1,
    styles: [
      ["medium", "style.medium"],
      ["easy", "style.easy"],
      ["hard", "style.hard"],
    ],
  },
};
