import { fourColours } from "../app/prefs.ts";
import { cardName } from "../games/holdem/words.ts";

/** Suits on a 24 px square, drawn for this game. */
const SUITS: Record<string, string> = {
  s: "M12 2c4.500 5.600 8.500 8.300 8.500 12.600 0 2.900-2 4.700-4.200 4.700-1.300 0-2.400-.5-3.200-1.500.2 2 .9 3.300 2.100 4.200H8.800c1.200-.9 1.900-2.200 2.100-4.200-.8 1-1.900 1.500-3.200 1.500-2.200 0-4.200-1.800-4.200-4.700C3.500 10.300 7.500 7.600 12 2z",
  h: "M12 21.500C5.800 16.600 2.500 12.900 2.500 8.600 2.500 5.400 4.900 3 7.700 3c1.800 0 3.400 1 4.300 2.600C12.900 4 14.500 3 16.300 3c2.800 0 5.200 2.400 5.200 5.600 0 4.300-3.300 8-9.500 12.900z",
  d: "M12 1.500c2.300 4.300 4.700 7.600 7.800 10.500-3.100 2.900-5.500 6.200-7.800 10.500-2.300-4.300-4.700-7.600-7.800-10.500 3.100-2.900 5.500-6.200 7.800-10.500z",
  c: "M12 2a4.600 4.600 0 0 1 3.700 7.300 4.700 4.700 0 1 1-2.600 8.200c.2 2 .9 3.400 2.100 4.500H8.800c1.200-1.100 1.900-2.500 2.100-4.500a4.700 4.700 0 1 1-2.600-8.200A4.600 4.600 0 0 1 12 2z",
};

interface Props {
  card: string;
  /** Not part of the winning five. */
  dim?: boolean;
}

/** A card with a large index, legible at the size of a thumbnail. */
export function Card({ card, dim }: Props) {
  const rank = card.slice(0, -1);
  const suit = card.slice(-1);
  const colours = fourColours.value ? "four" : "two";
  return (
    <svg class={`card ${colours} ${suit}${dim ? " dim" : ""}`} viewBox="0 0 50 70" role="img" aria-label={cardName(card)}>
      <rect class="face" x="1" y="1" width="48" height="68" rx="6" />
      <text x={rank === "T" ? 3 : 5} y="31" class={rank === "T" ? "index ten" : "index"}>
        {rank === "T" ? "10" : rank}
      </text>
      <path d={SUITS[suit]} transform="translate(15 33) scale(1.35)" />
    </svg>
  );
}

export function CardBack() {
  return (
    <svg class="card back" viewBox="0 0 50 70" aria-hidden="true">
      <rect class="face" x="1" y="1" width="48" height="68" rx="6" />
      <rect class="weave" x="6" y="6" width="38" height="58" rx="3" />
      <path class="mark" d="M25 24l9 11-9 11-9-11z" />
    </svg>
  );
}

/** A place on the board where no card lies yet. */
export function CardPlace() {
  return <span class="card place" aria-hidden="true" />;
}
