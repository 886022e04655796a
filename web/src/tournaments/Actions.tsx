import { useState } from "preact/hooks";
import { go } from "../app/router.ts";
import { someone } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { byeOf } from "./meetings.ts";
import type { TournamentStore } from "./store.ts";
import type { TournamentView } from "./types.ts";
import { byeWords, entryOf, isPaired, ordinal, placeName, placesNow } from "./words.ts";

interface Props {
  tournament: TournamentStore;
  view: TournamentView;
}

/** What one may do now, in the order of what is wanted most: to the table, enter, buy, withdraw. */
export function Actions({ tournament, view }: Props) {
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const can = new Set(view.you?.can ?? (view.status === "registering" ? ["enter"] : []));
  const once = (work: () => Promise<unknown>) => () => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  const ask = (path: string) => once(() => tournament.ask("POST", path));
  const enter = once(async () => {
    if (await someone()) await tournament.ask("POST", "/entries");
  });
  const withdraw = () => {
    if (!leaving && view.status !== "registering") return setLeaving(true);
    setLeaving(false);
    once(() => tournament.ask("DELETE", "/entries/me"))();
  };
  const { settings } = view;
  const buttons = [
    can.has("enter") && (
      <button key="enter" type="button" class="button primary" disabled={busy} onClick={enter}>
        {enterWords(view)}
      </button>
    ),
    can.has("reenter") && (
      <button key="reenter" type="button" class="button primary" disabled={busy} onClick={enter}>
        {t("tour.reenter", { price: num(Number(settings.buy_in ?? 0)) })}
      </button>
    ),
    can.has("start") && (
      <button key="start" type="button" class={can.has("enter") ? "button" : "button primary"} disabled={busy} onClick={ask("/start")}>
        <Icon name="play" />
        {t("tour.startNow")}
      </button>
    ),
    can.has("rebuy") && (
      <button key="rebuy" type="button" class="button primary" disabled={busy} onClick={ask("/rebuy")}>
        <Icon name="coins" />
        {t("tour.rebuy", { chips: num(Number(settings.rebuy_chips ?? settings.stack ?? 0)), price: num(Number(settings.rebuy_price ?? settings.buy_in ?? 0)) })}
      </button>
    ),
    can.has("add_on") && (
      <button key="add_on" type="button" class="button primary" disabled={busy} onClick={ask("/add_on")}>
        <Icon name="coins" />
        {t("tour.addOn", { chips: num(Number(settings.add_on ?? 0)), price: num(Number(settings.add_on_price ?? settings.buy_in ?? 0)) })}
      </button>
    ),
    can.has("withdraw") && (
      <button key="withdraw" type="button" class={leaving ? "button danger" : "button"} disabled={busy} onClick={withdraw}>
        {leaving ? t(view.format === "arena" ? "tour.withdraw.arena" : isPaired(view) ? "tour.withdraw.chess" : "tour.withdraw.poker") : t("tour.withdraw")}
      </button>
    ),
  ].filter(Boolean);
  const words = ownWords(view);
  if (!buttons.length && !view.table && !words) return null;
  return (
    <section class="tour-actions" aria-label={t("tour.you")}>
      {words && <p role="status">{words}</p>}
      {view.table && (
        <button type="button" class="button primary" onClick={() => go(`/t/${view.table}`)}>
          <Icon name="play" />
          {t("tour.toTable")}
        </button>
      )}
      {buttons}
    </section>
  );
}

/** One comes to an arena and goes as one likes, and is never late. */
function enterWords(view: TournamentView): string {
  if (view.status === "registering") return t("tour.enter");
  if (view.format !== "arena") return t("tour.enter.late");
  return t(entryOf(view, view.you?.entry ?? null) ? "tour.enter.again" : "tour.enter");
}

/** Where the person here stands: entered, playing, out. */
function ownWords(view: TournamentView): string {
  const own = entryOf(view, view.you?.entry ?? null);
  if (!own) return "";
  const standing = view.standings.find(({ entry }) => entry === own.entry);
  if (own.status === "entered") return t(view.status === "registering" ? "tour.own.entered" : "tour.own.waiting");
  if (own.status === "withdrawn" || own.status === "removed") return t(`tour.own.${own.status}`);
  if (!standing) return "";
  const place = placeName(standing.place, standing.place_to);
  if (own.status === "out" || view.status === "finished") {
    return standing.prize ? t("tour.own.prize", { place, prize: num(standing.prize) }) : t("tour.own.out", { place });
  }
  const bye = byeOf(view, own.entry);
  const now = t("tour.own.place", { place: ordinal(standing.place), n: num(placesNow(view, standing.place)) });
  return bye ? `${byeWords(bye)} ${now}` : now;
}
