import { num, tryT } from "../../i18n/index.ts";
import { plain } from "../../lobby/describe.ts";
import type { GameRoom } from "../game.ts";
import { offeredGame } from "../offered.ts";
import { GenericReplay } from "./GenericReplay.tsx";
import { GenericTable } from "./GenericTable.tsx";
import { tellGeneric } from "./narrate.ts";
import "../../styles/cards.css";
import "../../styles/felts.css";
import "../../styles/generic.css";

/** The room of a game that brings none, made from what the server says of it. */
export function genericRoom(name: string): GameRoom {
  return {
    Table: GenericTable,
    tell: tellGeneric,
    Replay: GenericReplay,
    exports: Object.keys(offeredGame(name)?.exports ?? {}),
    panels: [],
    Options: null,
    facts: (tally) => Object.entries(tally).map(([count, value]) => [tryT(`stat.${count}`, plain(count)), num(value)]),
    Chart: null,
  };
}
