import { useState } from "preact/hooks";
import { num, t } from "../../i18n/index.ts";
import { attempt } from "../../app/session.ts";
import type { TableStore } from "../../table/store.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { runningOut } from "./director/useDirector.ts";
import type { PokerPlayer, PokerView } from "./types.ts";

interface Props {
  table: TableStore;
  view: PokerView;
  player: PokerPlayer;
}

interface BetweenProps extends Props {
  onInvite(): void;
}

/** While there is nothing to decide: start, sit out or in, buy chips, show the hand. */
export function Between({ table, view, player, onInvite }: BetweenProps) {
  const [buying, setBuying] = useState(false);
  const options = new Set(view.you?.options ?? []);
  const seated = view.seats.filter((seat) => seat.player).length;
  const canStart = view.you?.host && view.status === "waiting" && seated > 1;
  const out = player.sitting_out;
  return (
    <div class="between">
      <p class="bar-words">{canStart ? t("wait.start") : hint(table, view, out, seated)}</p>
      <div class="between-buttons">
        {seated < 2 && (
          <button type="button" class="button primary" onClick={onInvite}>
            {t("invite")}
          </button>
        )}
        {canStart && (
          <button type="button" class="button primary" onClick={() => void attempt(() => table.send({ type: "start" }))}>
            {t("host.start")}
          </button>
        )}
        {options.has("show") && (
          <button type="button" class="button" onClick={() => void table.act({ type: "show" })}>
            {t("act.show")}
          </button>
        )}
        {options.has("muck") && (
          <button type="button" class="button" onClick={() => void table.act({ type: "muck" })}>
            {t("act.muck")}
          </button>
        )}
        {options.has("sit_in") && (
          <button type="button" class="button primary" onClick={() => void table.act({ type: "sit_in" })}>
            {t("act.sitIn")}
          </button>
        )}
        {options.has("sit_in") && Boolean(player.owes) && player.stack > 0 && (
          <button type="button" class="button" onClick={() => void table.act({ type: "sit_in", post: true })}>
            {t("act.post", { amount: num(player.owes ?? 0) })}
          </button>
        )}
        {options.has("post") && Boolean(player.owes) && (
          <button type="button" class="button" onClick={() => void table.act({ type: "post" })}>
            {t("act.post", { amount: num(player.owes ?? 0) })}
          </button>
        )}
        {options.has("rebuy") && (
          <button type="button" class="button" onClick={() => setBuying(true)}>
            {t("act.rebuy")}
          </button>
        )}
        {options.has("sit_out") && (
          <button type="button" class="button quiet" onClick={() => void table.act({ type: "sit_out" })}>
            {t("act.sitOut")}
          </button>
        )}
      </div>
      {buying && <Rebuy table={table} view={view} player={player} onClose={() => setBuying(false)} />}
    </div>
  );
}

function hint(table: TableStore, view: PokerView, out: boolean, seated: number): string {
  if (runningOut.value) return t("wait.runOut");
  if (out) return t("wait.out");
  if (seated < 2) return t("table.alone");
  if (view.status === "waiting") return t("wait.host");
  if (view.state.actor !== null) return t("wait.for", { name: table.seatName(view.state.actor) });
  return t("wait.hand");
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
