import { useState } from "preact/hooks";
import { num, t } from "../../i18n/index.ts";
import { attempt } from "../../app/session.ts";
import type { TableStore } from "../../table/store.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { runningOut } from "./presenter/usePresenter.ts";
import { exact } from "./money.ts";
import { Wishes } from "./later.ts";
import { canStart } from "./starting.ts";
import type { PokerPlayer, PokerView } from "./types.ts";
import { useSettled } from "./useSettled.ts";

interface Props {
  table: TableStore;
  view: PokerView;
  player: PokerPlayer;
}

interface BetweenProps extends Props {
  onInvite(): void;
}

interface Choice {
  name: string;
  text: string;
  class?: string;
  onClick(): void;
}

const WISHES = new Set(["straddle", "bomb", "rabbit"]);

/** While there is nothing to decide: start, sit out or in, buy chips, show the hand. */
export function Between({ table, view, player, onInvite }: BetweenProps) {
  const [buying, setBuying] = useState(false);
  // The server knows the end of the hand already: what may be done after it would give it away.
  const choices = runningOut.value ? [] : choicesOf({ table, view, player, onInvite }, () => setBuying(true));
  const wishes = view.you?.options?.some((option) => WISHES.has(option));
  const settled = useSettled(choices.map((choice) => choice.name).join());
  return (
    <div class="between">
      <p class="bar-words">{hint(table, view, player)}</p>
      {!runningOut.value && wishes && <Wishes table={table} view={view} player={player} />}
      <div class="between-buttons">
        {choices.map(({ name, text, class: look = "", onClick }) => (
          <button key={name} type="button" class={`button ${look}`} aria-disabled={!settled} onClick={() => settled && onClick()}>
            {text}
          </button>
        ))}
      </div>
      {buying && <Rebuy table={table} view={view} player={player} onClose={() => setBuying(false)} />}
    </div>
  );
}

function choicesOf({ table, view, player, onInvite }: BetweenProps, onBuy: () => void): Choice[] {
  const options = new Set(view.you?.options ?? []);
  const owes = player.owes ?? 0;
  const post = t("act.post", { amount: exact(owes, view.state.blinds[1]) });
  const act = (action: { type: string; post?: boolean }) => () => void table.act(action);
  const choices: Choice[] = [];
  if (seatedAt(view) < 2 && !view.tournament) choices.push({ name: "invite", text: t("invite"), class: "primary", onClick: onInvite });
  if (view.you?.host && canStart(view)) {
    choices.push({ name: "start", text: t("host.start"), class: "primary", onClick: () => void attempt(() => table.send({ type: "start" })) });
  }
  if (options.has("show")) choices.push({ name: "show", text: t("act.show"), onClick: act({ type: "show" }) });
  if (options.has("muck")) choices.push({ name: "muck", text: t("act.muck"), onClick: act({ type: "muck" }) });
  if (options.has("sit_in")) choices.push({ name: "sit_in", text: t("act.sitIn"), class: "primary", onClick: act({ type: "sit_in" }) });
  if (options.has("sit_in") && owes > 0 && player.stack > 0) choices.push({ name: "sit_in_post", text: post, onClick: act({ type: "sit_in", post: true }) });
  if (options.has("post") && owes > 0) choices.push({ name: "post", text: post, onClick: act({ type: "post" }) });
  if (options.has("rebuy") && !view.you?.request) choices.push({ name: "rebuy", text: t("act.rebuy"), class: player.status === "busted" && !options.has("sit_in") ? "primary" : "", onClick: onBuy });
  if (view.you?.request) choices.push({ name: "withdraw", text: t("join.withdraw"), onClick: () => void attempt(() => table.send({ type: "withdraw" })) });
  if (options.has("sit_out")) choices.push({ name: "sit_out", text: t("act.sitOut"), class: "sit-out", onClick: act({ type: "sit_out" }) });
  return choices;
}

const seatedAt = (view: PokerView) => view.seats.filter((seat) => seat.player).length;

function hint(table: TableStore, view: PokerView, player: PokerPlayer): string {
  const { actor, street, hand, run, choice } = view.state;
  if (runningOut.value) return t("wait.runOut");
  if (run) {
    const silent = run.seats.filter((seat) => !(String(seat) in run.answers));
    return t("wait.run", { names: silent.map((seat) => table.seatName(seat)).join(", ") });
  }
  if (choice) return t("say.choice", { name: table.seatName(choice.seat) });
  if (view.you?.request) return t("join.asked");
  if (canStart(view)) return t(!view.you?.host ? "wait.host" : hand ? "wait.again" : "wait.start");
  if (table.halted.value && street === null) return t("wait.halted");
  if (player.status === "busted") return t("wait.busted");
  if (player.sitting_out) return t("wait.out");
  if (view.tournament && view.status === "waiting") return t("wait.tournament");
  if (seatedAt(view) < 2) return t("table.alone");
  if (view.status === "waiting") return t("wait.players");
  return actor === null ? t("wait.hand") : t("wait.for", { name: table.seatName(actor) });
}

function Rebuy({ table, view, player, onClose }: Props & { onClose(): void }) {
  const most = Math.max(1, Number(view.settings.max_buy_in ?? 0) - player.stack);
  const least = Math.max(1, Math.min(most, Number(view.settings.min_buy_in ?? 1) - player.stack));
  const [amount, setAmount] = useState(Math.min(most, Math.max(least, Number(view.settings.buy_in ?? most) - player.stack)));
  const buy = async (event: Event) => {
    event.preventDefault();
    if (await table.act({ type: "rebuy", amount })) onClose();
  };
  return (
    <Dialog title={t("act.rebuy")} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void buy(event)}>
        <Field label={t("rebuy.amount", { amount: num(amount) })}>
          {(id) => <input id={id} type="range" min={least} max={most} value={amount} onInput={(event) => setAmount(Number(event.currentTarget.value))} />}
        </Field>
        <button class="button primary">{t("rebuy.go")}</button>
      </form>
    </Dialog>
  );
}
