import { t } from "../../i18n/index.ts";
import { exact } from "./money.ts";
import { priceFor, type PreAction } from "./preaction.ts";
import type { TableStore } from "../../table/store.ts";
import type { PokerView } from "./types.ts";

interface Props {
  table: TableStore;
  view: PokerView;
  seat: number;
  chosen: PreAction | null;
  onChoose(choice: PreAction | null): void;
}

/** Choices to make while others think. */
export function PreActions({ table, view, seat, chosen, onChoose }: Props) {
  const price = priceFor(view, seat);
  const { hand, street, blinds } = view.state;
  const option = (kind: PreAction["kind"], text: string) => {
    const on = chosen?.kind === kind;
    return (
      <button type="button" class={on ? "button pre on" : "button pre"} aria-pressed={on} onClick={() => onChoose(on ? null : { kind, hand, street, price })}>
        {text}
      </button>
    );
  };
  return (
    <div class="between">
      <p class="bar-words">{t("wait.for", { name: table.seatName(view.state.actor ?? seat) })}</p>
      <div class="pre-actions" role="group" aria-label={t("pre.label")}>
        {option("checkFold", t("pre.checkFold"))}
        {option("call", price > 0 ? t("pre.call", { amount: exact(price, blinds[1]) }) : t("act.check"))}
        {option("callAny", t("pre.callAny"))}
      </div>
    </div>
  );
}
