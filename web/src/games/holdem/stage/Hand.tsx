import { Card, CardBack } from "../../../art/Card.tsx";
import { t } from "../../../i18n/index.ts";
import type { PokerPlayer, PokerView } from "../types.ts";
import { cardName, worthOf } from "../words.ts";
import type { SeatPlace } from "./place.ts";
import { at } from "./point.ts";

interface Props {
  view: PokerView;
  player: PokerPlayer | null;
  spot: SeatPlace | undefined;
  own: boolean;
  winning: Set<string> | null;
  /** Turns over one of these cards. */
  onShow?: ((card: string) => void) | undefined;
}

/** The cards of one seat: backs, a hand that was turned over, or one's own, large. */
export function Hand({ view, player, spot, own, winning, onShow }: Props) {
  if (!player || !spot) return null;
  const cards = (own ? view.private?.cards : null) ?? player.cards ?? [];
  const folded = player.status === "folded";
  // A hand may be shown in part: what is hidden of it lies beside.
  const hidden = folded || (own && cards.length) ? 0 : player.holds;
  if (!cards.length && !hidden) return null;
  const count = cards.length + hidden;
  const kind = own ? "own" : cards.length ? "open" : "hidden";
  const made = own ? worthOf(view.private) : "";
  const open = new Set(own ? player.cards : []);
  return (
    <span
      key={`${kind} ${cards.join()} ${hidden}`}
      class={`at hand ${kind}${own && count === 2 ? " fanned" : ""}${folded ? " folded" : ""}`}
      data-spot={`cards-${player.seat}`}
      style={{ ...at(cards.length ? spot.open : spot.cards), "--count": count }}
      role={own ? "group" : undefined}
      aria-label={own ? t("poker.yours") : undefined}
      aria-hidden={own ? undefined : true}
    >
      {cards.map((card) => (
        <span key={card} class="slot" data-card={card}>
          <Card card={card} dim={folded || (winning !== null && !winning.has(card))} raised={winning?.has(card)} />
          {onShow && !open.has(card) && (
            <button type="button" class="show-one" aria-label={t("act.showCard", { card: cardName(card) })} title={t("act.showCard", { card: cardName(card) })} onClick={() => onShow(card)} />
          )}
        </span>
      ))}
      {Array.from({ length: hidden }, (_, index) => (
        <span key={index} class="slot">
          <CardBack />
        </span>
      ))}
      {made && !folded && <span key={made} class="made">{made}</span>}
    </span>
  );
}
