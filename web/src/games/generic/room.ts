import { num, tryT } from "../../i18n/index.ts";
import type { GameRoom } from "../game.ts";
import { plain } from "../../lobby/describe.ts";
import { GenericReplay, GenericTable } from "./GenericTable.tsx";

export const room: GameRoom = {
  Table: GenericTable,
  tell: () => null,
  Replay: GenericReplay,
  exports: [],
  panels: [],
  Options: null,
  facts: (tally) => Object.entries(tally).map(([name, value]) => [tryT(`stat.${name}`, plain(name)), num(value)]),
  Chart: null,
};
