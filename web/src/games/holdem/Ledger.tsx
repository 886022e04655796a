import { get } from "../../api/http.ts";
import type { LedgerLine } from "../../api/types.ts";
import { num, t } from "../../i18n/index.ts";
import type { PokerState } from "./types.ts";
import { useLoaded } from "../../ui/useLoaded.ts";
import { settleUp } from "./settle.ts";
import type { TableStore } from "../../table/store.ts";

/** What everybody brought and has now, and how to settle up with the fewest payments. */
export function Ledger({ table }: { table: TableStore }) {
  const view = table.view.value;
  const players = (view?.state as PokerState | null)?.players ?? [];
  // Within a hand this stays the same: it changes when chips come to the table or leave it.
  const chips = players.reduce((sum, player) => sum + player.stack + (player.contributed ?? 0), 0);
  const lines = useLoaded(() => get<LedgerLine[]>(`/tables/${table.code}/ledger`), [view?.seats, (view?.state as PokerState | null)?.hand, chips]);
  if (!lines?.length) return <p class="empty">{lines === undefined ? t("loading") : t("ledger.empty")}</p>;
  const rows = lines.map((line) => {
    const seat = view?.seats.find((one) => one.player?.id === line.player)?.seat;
    const player = players.find((one) => one.seat === seat);
    // What lies in the pots is still everybody's own, so that the sums agree in the middle of a hand too.
    const now = line.taken + (player ? player.stack + (player.contributed ?? player.bet) : 0);
    return { ...line, now, net: now - line.brought };
  });
  const payments = settleUp(rows.map((row) => [row.name, row.net]));
  return (
    <>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t("panel.ledger")}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{t("ledger.player")}</th>
              <th scope="col">{t("ledger.in")}</th>
              <th scope="col">{t("ledger.now")}</th>
              <th scope="col">{t("ledger.net")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.player}>
                <th scope="row">{row.name}</th>
                <td>{num(row.brought)}</td>
                <td>{num(row.now)}</td>
                <td class={row.net < 0 ? "loss" : "gain"}>{(row.net > 0 ? "+" : "") + num(row.net)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {payments.length > 0 && (
        <>
          <h3>{t("ledger.settle")}</h3>
          <ul class="settle">
            {payments.map(([from, to, amount]) => (
              <li key={`${from}${to}`}>{t("ledger.pays", { from, to, amount: num(amount) })}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
