import { useState } from "preact/hooks";
import { go } from "../app/router.ts";
import { num, t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import type { TournamentStore } from "./store.ts";
import type { TournamentView } from "./types.ts";
import { entryOf, fieldSize, placeName } from "./words.ts";
import "../styles/strip.css";

/** What came of it for the person here: place and prize, and what they may do next. */
export function ResultCard({ tournament, view, onClose }: { tournament: TournamentStore; view: TournamentView; onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const own = entryOf(view, view.you?.entry ?? null);
  const standing = view.standings.find(({ entry }) => entry === own?.entry);
  // The table knows it first; the place follows.
  if (!own || (!standing && own.status !== "removed")) return null;
  const won = standing?.place === 1 && standing.place_to === 1;
  const again = async () => {
    setBusy(true);
    if (await tournament.ask("POST", "/entries")) onClose();
    setBusy(false);
  };
  const title = own.status === "removed" ? t("tour.own.removed") : t(won ? "tour.card.won" : view.status === "finished" ? "tour.card.over" : "tour.card.out");
  return (
    <Dialog title={title} onClose={onClose}>
      {standing && (
        <div class={won ? "tour-card won" : "tour-card"}>
          <p class="tour-card-place">{placeName(standing.place, standing.place_to)}</p>
          <p>{t("tour.card.of", { n: num(fieldSize(view)) })}</p>
          {Boolean(standing.prize) && <p class="tour-card-prize">{t("tour.card.prize", { prize: num(standing.prize ?? 0) })}</p>}
          {standing.bounty > 0 && <p>{t("tour.card.bounty", { n: num(standing.bounty) })}</p>}
        </div>
      )}
      <div class="stack">
        {view.you?.can.includes("reenter") && (
          <button type="button" class="button primary block" disabled={busy} onClick={() => void again()}>
            {t("tour.reenter", { price: num(Number(view.settings.buy_in ?? 0)) })}
          </button>
        )}
        <button type="button" class={view.you?.can.includes("reenter") ? "button block" : "button primary block"} onClick={() => go(`/tournament/${view.code}`)}>
          {t("tour.card.standings")}
        </button>
        <button type="button" class="button block" onClick={onClose}>
          {t(view.status === "finished" ? "close" : "tour.card.watch")}
        </button>
      </div>
    </Dialog>
  );
}
