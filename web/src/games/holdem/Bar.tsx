import { useEffect, useState } from "preact/hooks";
import { say } from "../../app/live.ts";
import { t } from "../../i18n/index.ts";
import { JoinPanel } from "../../table/JoinPanel.tsx";
import type { TableStore } from "../../table/store.ts";
import { ActionBar } from "./ActionBar.tsx";
import { Between } from "./Between.tsx";
import { PreActions } from "./PreActions.tsx";
import { GameQuestion, RunQuestion } from "./later.ts";
import { decision, stillMeant, type PreAction } from "./preaction.ts";
import type { PokerView } from "./types.ts";

interface Props {
  table: TableStore;
  view: PokerView;
  onInvite(): void;
}

/** What one may do now: take a seat, act, choose ahead, or see to one's seat between hands. Its height never changes. */
export function Bar({ table, view, onInvite }: Props) {
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

  const choosing = player && state.street !== null && player.status === "active" && !player.sitting_out && state.actor !== null && state.actor !== seat;
  return (
    <div class="bar" data-fixed data-focus-home tabIndex={-1}>
      {seat === null || !player ? (
        <JoinPanel table={table} view={view} />
      ) : view.paused ? (
        <p class="bar-words">{t("table.paused")}</p>
      ) : state.run && view.you?.options?.includes("run") ? (
        <RunQuestion table={table} view={view} />
      ) : state.choice?.seat === seat ? (
        <GameQuestion table={table} view={view} />
      ) : legal ? (
        !(ahead && decision(ahead, legal)) && <ActionBar key={view.turn} table={table} view={view} legal={legal} />
      ) : choosing ? (
        <PreActions table={table} view={view} seat={seat} chosen={ahead} onChoose={setAhead} />
      ) : (
        <Between table={table} view={view} player={player} onInvite={onInvite} />
      )}
    </div>
  );
}
