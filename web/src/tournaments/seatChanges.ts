import type { SeatChange, TournamentView } from "./types.ts";

interface Changes {
  status: TournamentView["status"];
  moves: SeatChange[];
  tables: Pick<TournamentView["tables"][number], "number" | "final">[];
}

/** The last seat changes, the newest first: first seats are none, but those that are drawn for the final table. When all is over nobody looks for a seat. */
export function lastMoves({ status, moves, tables }: Changes, most: number): SeatChange[] {
  if (status === "finished") return [];
  const final = new Set(tables.filter((table) => table.final).map(({ number }) => number));
  return moves
    .filter(({ from, to }) => from !== null || final.has(to))
    .slice(-most)
    .toReversed();
}
