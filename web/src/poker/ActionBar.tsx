import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n/index.ts";
import type { TableStore } from "../table/store.ts";
import { useShort } from "../ui/useWide.ts";
import { money } from "./money.ts";
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
  const [unsure, setUnsure] = useState<"fold" | "raise" | null>(null);
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
  const canSize = may("raise") || may("bet");
  const canRaise = canSize || (may("allin") && legal.max > legal.bet + legal.call);
  const wanted = canSize ? Math.min(Math.max(amount, Math.min(legal.min, legal.max)), legal.max) : legal.max;
  const allIn = wanted >= legal.max;
  const big = view.state.blinds[1];

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
  const goOn = () => void act({ type: may("check") ? "check" : may("call") ? "call" : "allin" });
  const raise = () => {
    if (!canRaise) return;
    if (folded) return setSizing(true);
    if (allIn && unsure !== "raise") return setUnsure("raise");
    if (allIn && may("allin")) return void act({ type: "allin" });
    void act({ type: may("bet") ? "bet" : "raise", amount: wanted });
  };
  const size = (total: number) => {
    setUnsure(null);
    setAmount(total);
  };
  useKeys({ fold, goOn, raise, allIn: () => size(legal.max), digit: canSize ? () => (folded ? setSizing(true) : input.current?.select()) : undefined });

  const off = !ready || busy;
  const allInWords = unsure === "raise" ? t("act.allinSure", { amount: money(legal.max, big) }) : t("act.allin");
  const words = allIn ? allInWords : t(may("bet") ? "act.bet" : "act.raise", { amount: money(wanted, big) });
  const price = money(Math.min(legal.call, legal.max - legal.bet), big);
  return (
    <div class="action-bar" role="group" aria-label={t("yourTurn")}>
      {canSize && !folded && <Sizing input={input} legal={legal} view={view} amount={amount} onSize={size} onEnter={raise} />}
      <div class="action-buttons">
        <button type="button" class={unsure === "fold" ? "button act danger" : "button act"} aria-keyshortcuts="f" disabled={off} onClick={fold}>
          {unsure === "fold" ? t("act.foldSure") : t("act.fold")}
        </button>
        <button type="button" class="button act call" aria-keyshortcuts="c" disabled={off} onClick={goOn}>
          {may("check") ? t("act.check") : t("act.call", { amount: price })}
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
