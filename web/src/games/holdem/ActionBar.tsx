import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { useShort } from "../../ui/useWide.ts";
import { exact } from "./money.ts";
import { Sizing } from "./Sizing.tsx";
import type { PokerLegal, PokerView } from "./types.ts";
import { useKeys } from "./useKeys.ts";

/** Long enough that a tap meant for what was there before does not fall on a button that has just come. */
const SETTLE = 350;

interface Props {
  table: TableStore;
  view: PokerView;
  legal: PokerLegal;
}

/** The turn is ours: fold, check or call, raise. What cannot be undone and is rarely meant asks once more. */
export function ActionBar({ table, view, legal }: Props) {
  const [amount, setAmount] = useState(legal.min);
  const [unsure, setUnsure] = useState<"fold" | "call" | "raise" | null>(null);
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sizing, setSizing] = useState(false);
  const short = useShort();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), SETTLE);
    return () => clearTimeout(timer);
  }, []);

  const may = (action: PokerLegal["actions"][number]) => legal.actions.includes(action);
  const canRaise = may("raise") || may("bet");
  const canSize = canRaise && legal.min < legal.max;
  const wanted = Math.min(Math.max(amount, legal.min), legal.max);
  const allIn = wanted === legal.all_in;
  const show = (chips: number) => exact(chips, view.state.blinds[1]);

  // On a short screen the sizes come out when a raise is asked for.
  const folded = short && canSize && !sizing;
  useEffect(() => {
    if (sizing) input.current?.focus();
  }, [sizing]);

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
    if (folded) return setSizing(true);
    if (allIn && unsure !== "raise") return setUnsure("raise");
    void act(allIn ? { type: "allin" } : { type: may("bet") ? "bet" : "raise", amount: wanted });
  };
  const size = (total: number) => {
    setUnsure(null);
    setAmount(total);
  };
  useKeys({ fold, goOn, raise, allIn: () => size(legal.max), digit: canSize ? () => (folded ? setSizing(true) : input.current?.select()) : undefined });

  const off = !ready || busy;
  const words = allIn
    ? t(unsure === "raise" ? "act.allinSure" : "act.allin", { amount: show(wanted) })
    : t(may("bet") ? "act.bet" : "act.raise", { amount: show(wanted) });
  const callWords = legal.call_all_in ? (unsure === "call" ? "act.callAllinSure" : "act.callAllin") : "act.call";
  return (
    <div class="action-bar" role="group" aria-label={t("yourTurn")}>
      {canSize && !folded && <Sizing input={input} legal={legal} view={view} amount={amount} onSize={size} onEnter={raise} />}
      <div class="action-buttons">
        <button type="button" class={unsure === "fold" ? "button act danger" : "button act"} aria-keyshortcuts="f" disabled={off} onClick={fold}>
          {unsure === "fold" ? t("act.foldSure") : t("act.fold")}
        </button>
        <button type="button" class={unsure === "call" ? "button act danger" : "button act call"} aria-keyshortcuts="c" disabled={off} onClick={goOn}>
          {may("check") ? t("act.check") : t(callWords, { amount: show(legal.call) })}
        </button>
        {canRaise && (
          <button type="button" class={unsure === "raise" ? "button act danger" : "button act primary"} aria-keyshortcuts="Enter" disabled={off} onClick={raise}>
            {folded ? t(may("bet") ? "act.openBet" : "act.openRaise") : words}
          </button>
        )}
      </div>
    </div>
  );
}
