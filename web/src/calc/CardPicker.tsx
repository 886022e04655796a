import { t } from "../i18n/index.ts";
import { Card } from "../art/Card.tsx";
import { cardName } from "../games/holdem/words.ts";

const RANKS = Array.from("AKQJT98765432");
const SUITS = Array.from("shdc");

interface Props {
  chosen: readonly string[];
  most: number;
  onChange(cards: string[]): void;
}

/** The deck laid out; a tap takes a card or puts it back. */
export function CardPicker({ chosen, most, onChange }: Props) {
  const toggle = (card: string) => {
    if (chosen.includes(card)) onChange(chosen.filter((one) => one !== card));
    else if (chosen.length < most) onChange([...chosen, card]);
  };
  return (
    <div class="deck" role="group" aria-label={t("calc.deck")}>
      {SUITS.map((suit) => (
        <div key={suit} class="deck-row">
          {RANKS.map((rank) => {
            const card = rank + suit;
            const on = chosen.includes(card);
            return (
              <button key={card} type="button" class={on ? "deck-card on" : "deck-card"} aria-label={cardName(card)} aria-pressed={on} disabled={!on && chosen.length >= most} onClick={() => toggle(card)}>
                <Card card={card} />
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}
