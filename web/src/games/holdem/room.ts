import type { PlayedRound } from "../../api/types.ts";
import { lazy } from "../../ui/Lazy.tsx";
import type { GameRoom } from "../game.ts";
import { Ledger } from "./later.ts";
import { tellPoker } from "./narrate.ts";
import { Options } from "./Options.tsx";
import { PokerTable } from "./PokerTable.tsx";
import "../../styles/felts.css";
import "../../styles/stage.css";
import "../../styles/seat.css";
import "../../styles/bar.css";

export const room: GameRoom = {
  Table: PokerTable,
  fillsWindow: true,
  tell: tellPoker,
  Replay: lazy<{ played: PlayedRound }>(async () => (await import("./PokerReplay.tsx")).PokerReplay),
  picture: async (played, own) => (await import("./picture.ts")).handPicture(played, own),
  panels: [{ id: "ledger", title: "panel.ledger", icon: "coins", Content: Ledger }],
  Options,
};
