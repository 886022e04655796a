import { num, t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import type { PokerView } from "./types.ts";
import { madeName } from "./words.ts";

/** Who won the hand, with what. */
export function ResultLine({ table, view }: { table: TableStore; view: PokerView }) {
  const result = view.state.result;
  if (!result) return null;
  const lines = Object.entries(result.payouts)
    .filter(([, amount]) => amount > 0)
    .map(([seat, amount]) => {
      const hand = madeName(result.shown[seat]?.made);
      const words = t("say.wins", { name: table.seatName(Number(seat)), amount: num(amount) });
      return hand ? `${words} (${hand})` : words;
    });
  return (
    <p class="result-line">
      <span class="ellipsis-2">{lines.join(" · ")}</span>
      <a class="button small quiet" href={`/history/${view.code}/${result.hand}`}>
        {t("result.replay")}
      </a>
    </p>
  );
}
