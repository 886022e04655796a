import type { PlayedRound } from "../../api/types.ts";
import { lazy } from "../../ui/Lazy.tsx";
import type { GameRoom } from "../game.ts";
import { pokerFacts } from "./facts.ts";
import { Ledger } from "./Ledger.tsx";
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
  exports: ["phh"],
  panels: [{ id: "ledger", title: "panel.ledger", icon: "coins", Content: Ledger }],
  Options,
  facts: pokerFacts,
  Chart: lazy(async () => (await import("./Chart.tsx")).Chart),
};
