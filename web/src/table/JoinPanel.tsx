import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Settings, View } from "../api/types.ts";
import type { HoldemReturn } from "../api/wire.ts";
import { attempt, introduce, me, nameAtHand } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import type { TableStore } from "./store.ts";

interface Props {
  table: TableStore;
  view: View;
  /** What the game sends along with the wish for a seat, and the fields where one chooses it. */
  options?: Settings;
  children?: ComponentChildren;
}

/** What binds one who left this table and returns, where the game remembers it. */
function returning(view: View, now: number): HoldemReturn | undefined {
  const { departed } = (view.state ?? {}) as { departed?: Record<string, HoldemReturn> };
  const left = me.value ? departed?.[me.value.id] : undefined;
  return left && (left.until === null || now < left.until) ? left : undefined;
}

/** For whoever has no seat: a name if they are new, chips where the game has them, and the chair. */
export function JoinPanel({ table, view, options, children }: Props) {
  if (view.you?.seats.length || view.status === "closed") return null;
  if (table.asked.value) return <p class="notice">{t("join.asked")}</p>;
  if (view.seats.every((seat) => seat.player)) return <p class="notice">{t("join.full")}</p>;
  if (returning(view, table.now())?.most === 0) return <p class="notice">{t("join.out")}</p>;
  return (
    <JoinForm table={table} view={view} seat={null} options={options}>
      {children}
    </JoinForm>
  );
}

/** The same questions for one particular seat. */
export function JoinDialog({ table, view, seat, onClose }: Props & { seat: number; onClose(): void }) {
  return (
    <Dialog title={t("free.take", { n: seat + 1 })} onClose={onClose}>
      {returning(view, table.now())?.most === 0 ? <p>{t("join.out")}</p> : <JoinForm table={table} view={view} seat={seat} onDone={onClose} />}
    </Dialog>
  );
}

function JoinForm({ table, view, seat, options: chosenOptions, children, onDone }: Props & { seat: number | null; onDone?: () => void }) {
  const { settings } = view;
  const [name, setName] = useState(nameAtHand);
  const [chosen, setChosen] = useState(Number(settings.buy_in ?? 0));
  const [busy, setBusy] = useState(false);
  // The field stays while the form is sent, though the name is known by then.
  const [asksName] = useState(!me.value);
  const left = returning(view, table.now());
  const least = left?.least ?? Number(settings.min_buy_in ?? chosen);
  const most = left?.most ?? Number(settings.max_buy_in ?? chosen);
  const buyIn = Math.min(Math.max(chosen, least), most);
  const mustAsk = !view.you?.host && (settings.approve_seats === true || view.you?.kicked === true);
  const sit = async () => {
    if (!me.value) {
      await introduce(name.trim());
      table.reintroduce();
    }
    const options = { ...chosenOptions, ...(buyIn && { buy_in: buyIn }) };
    await table.send(seat === null ? { type: "sit", options } : { type: "sit", seat, options });
    if (settings.same_screen) await table.send({ type: "sit", options });
    if (mustAsk) table.asked.value = true;
    onDone?.();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    void attempt(sit).finally(() => setBusy(false));
  };
  const hint = left && left.chips > 0 ? t("join.return", { amount: num(left.chips) }) : "";
  return (
    <form class="join-panel" onSubmit={submit}>
      {(asksName || !me.value) && (
        <Field label={t("name.label")}>
          {(id) => (
            <input id={id} required maxLength={24} autocomplete="nickname" value={name} onFocus={(event) => event.currentTarget.select()} onInput={(event) => setName(event.currentTarget.value)} />
          )}
        </Field>
      )}
      {left && least === most && <p class="join-hint">{t("join.stack", { amount: num(least) })}</p>}
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
              onInput={(event) => setChosen(Number(event.currentTarget.value))}
            />
          )}
        </Field>
      )}
      {children}
      <button class="button primary" disabled={busy}>
        {mustAsk ? t("join.ask") : t("join.sit")}
      </button>
      {hint && least < most && <small class="join-hint muted">{hint}</small>}
    </form>
  );
}
