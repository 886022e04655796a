import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Settings, View } from "../api/types.ts";
import type { HoldemReturn } from "../api/wire.ts";
import { attempt, introduce, me, nameAtHand } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import type { TableStore } from "./store.ts";
import { joinWaitingList, seatsToTake } from "./waiting.ts";

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

/** For whoever has no seat: a name if they are new, chips where the game has them, and the chair; or the waiting list. */
export function JoinPanel({ table, view, options, children }: Props) {
  const { you } = view;
  if (you?.seats.length || view.status === "closed") return null;
  if (view.tournament) return <p class="bar-words">{t("join.tournament")}</p>;
  const send = (type: "withdraw" | "leave") => () => void attempt(() => table.send({ type }));
  if (you?.request) return <Line text={t("join.asked")} button={t("join.withdraw")} onClick={send("withdraw")} />;
  if (returning(view, table.now())?.most === 0) return <p class="notice">{t("join.out")}</p>;
  if (you?.waiting && !you.waiting.until) return <Line text={t("join.place", { n: you.waiting.place })} button={t("join.unwait")} onClick={send("leave")} />;
  if (!you?.waiting && seatsToTake(view) < 1) return <Line text={t("join.full")} button={t("join.wait")} onClick={() => void joinWaitingList(table)} />;
  return (
    <JoinForm table={table} view={view} seat={null} options={options} until={you?.waiting?.until ?? undefined}>
      {children}
    </JoinForm>
  );
}

/** Where one stands, and the one thing to do about it. */
function Line({ text, button, onClick }: { text: string; button: string; onClick(): void }) {
  return (
    <div class="join-panel">
      <p class="join-words">{text}</p>
      <button type="button" class="button" onClick={onClick}>
        {button}
      </button>
    </div>
  );
}

/** The same questions for one particular seat. */
export function JoinDialog({ table, view, seat, onClose }: Props & { seat: number; onClose(): void }) {
  const { you } = view;
  const mayTake = you?.waiting?.until || (!you?.request && seatsToTake(view) > 0 && returning(view, table.now())?.most !== 0);
  return (
    <Dialog title={t("free.take", { n: seat + 1 })} onClose={onClose}>
      {mayTake ? <JoinForm table={table} view={view} seat={seat} onDone={onClose} /> : <JoinPanel table={table} view={view} />}
    </Dialog>
  );
}

interface FormProps extends Props {
  seat: number | null;
  /** Until when a seat is kept for this person. */
  until?: number;
  onDone?: () => void;
}

function JoinForm({ table, view, seat, until, options: chosenOptions, children, onDone }: FormProps) {
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
      {until && <OfferedUntil table={table} until={until} />}
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

/** A seat is kept for this person: how many seconds are left to take it. */
function OfferedUntil({ table, until }: { table: TableStore; until: number }) {
  const [now, setNow] = useState(table.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(table.now()), 500);
    return () => clearInterval(timer);
  }, [table]);
  return <p class="join-words">{t("join.offered", { n: Math.max(0, Math.ceil((until - now) / 1000)) })}</p>;
}
