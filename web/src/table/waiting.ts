import type { View } from "../api/types.ts";
import { attempt, me, someone } from "../app/session.ts";
import type { TableStore } from "./store.ts";

/** How many free seats are kept for nobody. The server has the last word. */
export function seatsToTake(view: View): number {
  const free = view.seats.filter((seat) => !seat.player).length;
  return free - view.waiting.filter((waiter) => waiter.until !== null).length;
}

/** Goes to the end of the waiting list, after asking a newcomer's name. */
export async function joinWaitingList(table: TableStore): Promise<void> {
  await attempt(async () => {
    const known = Boolean(me.value);
    if (!(await someone())) return;
    if (!known) table.reintroduce();
    await table.send({ type: "wait" });
  });
}
