import { useState } from "preact/hooks";
import { textTable } from "../../app/prefs.ts";
import { num, t } from "../../i18n/index.ts";
import { JoinDialog } from "../../table/JoinPanel.tsx";
import { Notices } from "../../table/Notices.tsx";
import { Reactions } from "../../table/Reactions.tsx";
import type { TableStore } from "../../table/store.ts";
import { Icon } from "../../ui/Icon.tsx";
import { Bar } from "./Bar.tsx";
import { runningOut, usePresenter } from "./presenter/usePresenter.ts";
import { Stage } from "./stage/Stage.tsx";
import { TextTable } from "./later.ts";
import type { PokerView } from "./types.ts";
import { handNotes, mayHaveNotes } from "./words.ts";

interface Props {
  table: TableStore;
  onInvite(): void;
}

/** The poker table: the stage, and under it a bar of constant height for what one may do. */
export function PokerTable({ table, onInvite }: Props) {
  const view = table.view.value as PokerView;
  const shown = usePresenter(table);
  const mine = table.mySeat.value;
  const [taking, setTaking] = useState<number | null>(null);
  const [reacting, setReacting] = useState(false);
  const { result } = shown.state;
  const notes = handNotes(shown.state, view.settings.choice);
  // One's own hand is shown card by card once the hand is over, and nothing of its end is still to be seen.
  const mayShow = Boolean(view.you?.options?.includes("show")) && !runningOut.value;
  const mayReact = mine !== null && !view.you?.muted && view.settings.chat !== false;
  return (
    <section class="poker" aria-label={t("poker.label")}>
      <div class={mayHaveNotes(view.settings) ? "stage-room noted" : "stage-room"}>
        {textTable.value ? (
          <TextTable table={table} view={view} />
        ) : (
          <Stage
            view={shown}
            mine={shown.you?.seats[0] ?? null}
            now={() => table.now()}
            onFree={view.status === "closed" || view.tournament ? undefined : mine === null ? setTaking : onInvite}
            onReact={mayReact ? () => setReacting(!reacting) : undefined}
            onShow={mayShow ? (card) => void table.act({ type: "show", cards: [card] }) : undefined}
          />
        )}
        {!textTable.value && notes.length > 0 && (
          <p key={notes.join()} class="hand-notes" data-spot="notes">
            {notes.map((note) => (
              <span key={note}>{note}</span>
            ))}
          </p>
        )}
        {result && (
          <a class="icon-button replay-last" href={`/history/${view.code}/${result.hand}`} aria-label={t("result.replay")} title={t("result.replay")}>
            <Icon name="history" />
          </a>
        )}
        {reacting && mayReact && <Reactions table={table} words={["react.nice", "react.thanks"]} onDone={() => setReacting(false)} />}
      </div>
      <Notices table={table} view={view} />
      <Bar table={table} view={view} onInvite={onInvite} />
      <p class="visually-hidden">{t("poker.summary", { pot: num(view.state.pot), hand: view.state.hand })}</p>
      {taking !== null && mine === null && <JoinDialog table={table} view={view} seat={taking} onClose={() => setTaking(null)} />}
    </section>
  );
}
