import { useRef, useState } from "preact/hooks";
import { potOdds } from "../../app/prefs.ts";
import { fixed, t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { exact } from "./money.ts";
import { Sizing, stepOf } from "./Sizing.tsx";
import type { PokerLegal, PokerView } from "./types.ts";
import { useKeys } from "./useKeys.ts";
import { useSettled } from "./useSettled.ts";

interface Props {
  table: TableStore;
  view: PokerView;
  legal: PokerLegal;
}

/** The turn is ours: fold, check or call, raise. What cannot be undone and is rarely meant asks once more. */
export function ActionBar({ table, view, legal }: Props) {
  const [amount, setAmount] = useState(legal.min);
  const [unsure, setUnsure] = useState<"fold" | "call" | "raise" | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const ready = useSettled(String(view.turn));

  const may = (action: PokerLegal["actions"][number]) => legal.actions.includes(action);
  const canRaise = may("raise") || may("bet");
  const canSize = canRaise && legal.min < legal.max;
  const wanted = Math.min(Math.max(amount, legal.min), legal.max);
  const allIn = wanted === legal.all_in;
  const show = (chips: number) => exact(chips, view.state.blinds[1]);

  const act = async (action: { type: string; amount?: number }) => {
    if (!ready || busy) return;
    setBusy(true);
    const { type, amount: total } = action;
    const done = await table.act(total === undefined ? { type } : { type, amount: total }, view.turn);
    if (!done) setBusy(false);
  };
  const fold = () => {
    if (may("check") && unsure !== "fold") return setUnsure("fold");
    void act({ type: "fold" });
  };
  const goOn = () => {
    if (legal.call_all_in && unsure !== "call") return setUnsure("call");
    void act({ type: may("check") ? "check" : "call" });
  };
  const raise = () => {
    if (!canRaise) return;
    if (allIn && unsure !== "raise") return setUnsure("raise");
    void act(allIn ? { type: "allin" } : { type: may("bet") ? "bet" : "raise", amount: wanted });
  };
  const size = (total: number) => {
    setUnsure(null);
    setAmount(total);
  };
  const step = (by: 1 | -1) => size(Math.min(Math.max(wanted + by * stepOf(view), legal.min), legal.max));
  useKeys({ fold, goOn, raise, allIn: () => size(legal.max), digit: canSize ? () => input.current?.select() : undefined, step: canSize ? step : undefined });

  const off = !ready || busy;
  const words = allIn
    ? t(unsure === "raise" ? "act.allinSure" : "act.allin", { amount: show(wanted) })
    : t(may("bet") ? "act.bet" : "act.raise", { amount: show(wanted) });
  const callWords = legal.call_all_in ? (unsure === "call" ? "act.callAllinSure" : "act.callAllin") : "act.call";
  const raiseType = allIn ? "allin" : may("bet") ? "bet" : "raise";
  return (
    <div class="action-bar" role="group" aria-label={t("yourTurn")}>
      {canSize ? (
        <Sizing input={input} legal={legal} view={view} amount={amount} onSize={size} onStep={step} onEnter={raise} />
      ) : (
        <p class="bar-words">{t("yourTurn")}</p>
      )}
      <div class="action-buttons">
        <button type="button" class={unsure === "fold" ? "button act danger" : "button act"} data-action="fold" aria-keyshortcuts="f" disabled={off} onClick={fold}>
          <span>{unsure === "fold" ? t("act.foldSure") : t("act.fold")}</span>
        </button>
        <button
          type="button"
          class={unsure === "call" ? "button act danger" : "button act call"}
          data-action={may("check") ? "check" : "call"}
          data-price={may("check") ? 0 : legal.call}
          aria-keyshortcuts="c"
          disabled={off}
          onClick={goOn}
        >
          <span>{may("check") ? t("act.check") : t(callWords, { amount: show(legal.call) })}</span>
          {potOdds.value && !may("check") && <small>{odds(legal)}</small>}
        </button>
        {canRaise && (
          <button
            type="button"
            class={unsure === "raise" ? "button act danger" : "button act primary"}
            data-action={raiseType}
            data-price={wanted}
            aria-keyshortcuts="Enter"
            disabled={off}
            onClick={raise}
          >
            <span>{words}</span>
          </button>
        )}
      </div>
    </div>
  );
}

/** What the pot lays: how much there is to win for what it costs, and how often that must come in. */
function odds({ pot, call }: PokerLegal): string {
  return t("act.odds", { ratio: fixed(pot / call, 1), percent: fixed((100 * call) / (pot + call), 0) });
}
