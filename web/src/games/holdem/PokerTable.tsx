import { textTable } from "../../app/prefs.ts";
import { num, t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { play } from "../../ui/sound.ts";
import { useWide } from "../../ui/useWide.ts";
import { useEffect } from "preact/hooks";
import { ActionArea } from "./ActionArea.tsx";
import { Felt } from "./Felt.tsx";
import { Hero } from "./Hero.tsx";
import { ResultLine } from "./ResultLine.tsx";
import { TextTable } from "./TextTable.tsx";
import type { PokerView } from "./types.ts";

interface Props {
  table: TableStore;
  onInvite(): void;
}

/** The poker table: the felt with its seats, one's own cards, and what one may do. */
export function PokerTable({ table, onInvite }: Props) {
  const view = table.view.value as PokerView;
  const wide = useWide();
  useSounds(table);
  const alone = view.seats.filter((seat) => seat.player).length < 2;
  return (
    <section class="poker" aria-label={t("poker.label")}>
      {textTable.value ? <TextTable table={table} view={view} /> : <Felt view={view} wide={wide} mine={table.mySeat.value} now={() => table.now()} />}
      <ResultLine table={table} view={view} />
      {view.paused && <p class="notice">{t("table.paused")}</p>}
      {alone && view.status === "waiting" && table.mySeat.value !== null && (
        <p class="notice">
          {t("table.alone")}{" "}
          <button type="button" class="button small" onClick={onInvite}>
            {t("invite")}
          </button>
        </p>
      )}
      <div class="dock">
        <Hero table={table} view={view} />
        <ActionArea table={table} view={view} />
      </div>
      <p class="visually-hidden">{t("poker.summary", { pot: num(view.state.pot), hand: view.state.hand })}</p>
    </section>
  );
}

function useSounds(table: TableStore): void {
  const events = table.latest.value;
  useEffect(() => {
    const kinds = new Set(events.map((event) => event.type));
    if (kinds.has("hand_ended")) void play("win");
    else if (kinds.has("street") || kinds.has("dealt")) void play("deal");
    else if (kinds.has("acted")) void play("chips");
  }, [events]);
}
