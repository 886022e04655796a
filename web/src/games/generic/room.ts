import type { GameRoom } from "../game.ts";
import { GenericReplay } from "./GenericReplay.tsx";
import { GenericTable } from "./GenericTable.tsx";
import { tellGeneric } from "./narrate.ts";
import "../../styles/cards.css";
import "../../styles/felts.css";
import "../../styles/generic.css";

/** The room of a game that brings none, made from what the server says of it. */
export function genericRoom(): GameRoom {
  return {
    Table: GenericTable,
    tell: tellGeneric,
    Replay: GenericReplay,
    panels: [],
    Options: null,
  };
}
