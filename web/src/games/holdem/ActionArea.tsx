import { useEffect, useState } from "preact/hooks";
import { say } from "../../app/live.ts";
import { t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { ActionBar } from "./ActionBar.tsx";
import { Between } from "./Between.tsx";
import { PreActions } from "./PreActions.tsx";
import { decision, stillMeant, type PreAction } from "./preaction.ts";
import type { PokerView } from "./types.ts";

/** What one may do now: act, choose ahead, or see to one's seat between hands. */
export function ActionArea({ table, view }: { table: TableStore; view: PokerView }) {
  const [ahead, setAhead] = useState<PreAction | null>(null);
  const { legal, state } = view;
  const seat = table.mySeat.value;
  const player = state.players.find((one) => one.seat === seat);

  useEffect(() => {
    if (!ahead) return;
    if (!stillMeant(ahead, view)) return setAhead(null);
    if (!legal) return;
    setAhead(null);
    const action = decision(ahead, legal);
    if (action) void table.act(action, view.turn);
    else say(t("pre.void"));
  }, [view.seq]);

  if (seat === null || !player || view.paused) return null;
  const choosing = state.street !== null && player.status === "active" && !player.sitting_out && state.actor !== null && state.actor !== seat;
  return (
    <div class="actions">
      {legal ? (
        !(ahead && decision(ahead, legal)) && <ActionBar key={view.turn} table={table} view={view} legal={legal} />
      ) : choosing ? (
        <PreActions view={view} seat={seat} chosen={ahead} onChoose={setAhead} />
      ) : (
        <Between table={table} view={view} player={player} />
      )}
    </div>
  );
}
