import { t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { useWide } from "../../ui/useWide.ts";
import { Card } from "../../art/Card.tsx";
import { Countdown } from "./Countdown.tsx";
import { winningCards } from "./Felt.tsx";
import { money } from "./money.ts";
import type { PokerView } from "./types.ts";
import { madeName } from "./words.ts";

/** One's own cards, large, with what they make. */
export function Hero({ table, view }: { table: TableStore; view: PokerView }) {
  const wide = useWide();
  const seat = table.mySeat.value;
  const player = view.state.players.find((one) => one.seat === seat);
  if (seat === null || !player) return null;
  const big = view.state.blinds[1];
  const cards = view.private?.cards ?? [];
  const winning = winningCards(view);
  const folded = player.status === "folded";
  const payout = view.state.result?.payouts[String(seat)] ?? 0;
  return (
    <div class={`hero${folded ? " folded" : ""}${view.state.actor === seat ? " acting" : ""}`}>
      {!wide && (
        <span class="hero-cards" role="group" aria-label={t("poker.yours")}>
          {cards.map((card) => (
            <Card key={card} card={card} dim={folded || (winning !== null && !winning.has(card))} />
          ))}
        </span>
      )}
      <span class="hero-text">
        <b class="hand-name">{madeName(view.private?.made)}</b>
        <span class="hero-stack">
          {view.state.button === seat && <span class="button-mark">D</span>}
          {t("poker.stack")} <b>{money(player.stack, big)}</b>
          {player.bet > 0 && (
            <span class="note bet">
              <i class="chip" />
              {money(player.bet, big)}
            </span>
          )}
          {payout > 0 && <span class="note won">+{money(payout, big)}</span>}
        </span>
        {player.bank > 0 && view.deadline && view.state.actor === seat && <small>{t("poker.bank", { n: Math.ceil(player.bank / 1000) })}</small>}
      </span>
      {!wide && view.state.actor === seat && <Countdown now={() => table.now()} deadline={view.deadline} />}
    </div>
  );
}
