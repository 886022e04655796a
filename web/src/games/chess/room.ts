import type { GameRoom, Tally } from "../game.ts";
import { loadWords, num, tryT } from "../../i18n/index.ts";
import { lazy } from "../../ui/Lazy.tsx";
import type { PlayedRound } from "../../api/types.ts";
import { ChessTable } from "./ChessTable.tsx";
import { tellChess } from "./narrate.ts";
import { chess } from "./entry.ts";

export const room: GameRoom = {
  Table: ChessTable,
  fillsWindow: true,
  tell: tellChess,
  Replay: lazy<{ played: PlayedRound }>(async () => {
    const [{ ChessReplay }] = await Promise.all([import("./ChessReplay.tsx"), loadWords("study")]);
    return ChessReplay;
  }),
  exports: ["pgn"],
  panels: [],
  hasPanel: true,
  soundsMoves: true,
  Options: chess.Look ?? null,
  facts: (tally: Tally) => Object.entries(tally).map(([name, value]) => [tryT(`stat.${name}`, name.replaceAll("_", " ")), num(value)]),
  Chart: null,
};
