import { useState } from "preact/hooks";
import type { View } from "../api/types.ts";
import { lastName } from "../app/prefs.ts";
import { attempt, introduce, me } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";
import type { TableStore } from "./store.ts";

/** For whoever has no seat: a name if they are new, chips where the game has them, and the chair. */
export function JoinPanel({ table, view }: { table: TableStore; view: View }) {
  const { settings } = view;
  const [name, setName] = useState(lastName.value);
  const [buyIn, setBuyIn] = useState(Number(settings.buy_in ?? 0));
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  if (view.you?.seats.length || view.status === "closed") return null;
  const free = view.seats.filter((seat) => !seat.player).length;
  if (!free) return <p class="notice">{t("join.full")}</p>;
  if (asked) return <p class="notice">{t("join.asked")}</p>;

  const mustAsk = !view.you?.host && (settings.approve_seats === true || view.you?.kicked === true);
  const sit = async () => {
    if (!me.value) {
      await introduce(name.trim());
      table.reintroduce();
    }
    const options = buyIn ? { buy_in: buyIn } : {};
    await table.send({ type: "sit", options });
    if (settings.same_screen) await table.send({ type: "sit", options });
    if (mustAsk) setAsked(true);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    void attempt(sit).finally(() => setBusy(false));
  };
  const [least, most] = [Number(settings.min_buy_in ?? buyIn), Number(settings.max_buy_in ?? buyIn)];
  return (
    <form class="join-panel" onSubmit={submit}>
      {!me.value && (
        <Field label={t("name.label")}>
          {(id) => (
            <input id={id} required maxLength={24} autocomplete="nickname" value={name} onInput={(event) => setName(event.currentTarget.value)} />
          )}
        </Field>
      )}
      {buyIn > 0 && least < most && (
        <Field label={t("join.buyIn", { amount: num(buyIn) })}>
          {(id) => (
            <input
              id={id}
              type="range"
              min={least}
              max={most}
              step={Number(settings.big_blind ?? 1)}
              value={buyIn}
              onInput={(event) => setBuyIn(Number(event.currentTarget.value))}
            />
          )}
        </Field>
      )}
      <button class="button primary" disabled={busy}>
        {mustAsk ? t("join.ask") : t("join.sit")}
      </button>
    </form>
  );
}
