import type { GameRoom } from "../game.ts";
import { loadWords } from "../../i18n/index.ts";
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
  picture: async (played) => (await import("./picture.ts")).gamePicture(played),
  panels: [],
  hasPanel: true,
  soundsMoves: true,
  Options: chess.Look ?? null,
};
