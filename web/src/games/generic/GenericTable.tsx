import type { PlayedRound } from "../../api/types.ts";
import type { GameTableProps } from "../game.ts";

/** The public state of a game, as it is. */
export function GenericTable({ table }: GameTableProps) {
  return <pre class="generic-state">{JSON.stringify(table.view.value?.state, null, 2)}</pre>;
}

/** What happened in a round, event by event. */
export function GenericReplay({ played }: { played: PlayedRound }) {
  return <pre class="generic-state">{played.events.map((event) => JSON.stringify(event)).join("\n")}</pre>;
}
