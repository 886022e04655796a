import { useEffect } from "preact/hooks";
import { cardBack, fourColours, type CardBackChoice } from "../app/prefs.ts";
import { cardName } from "../games/holdem/words.ts";
import { PIPS } from "./pips.ts";
import { RANKS } from "./ranks.ts";
import { SUITS } from "./suits.ts";
import "../styles/cards.css";

interface Props {
  card: string;
  /** Not part of the winning five. */
  dim?: boolean;
  /** Part of the winning five: lifted, with light around it. */
  raised?: boolean;
}

/**
 * A card that shows as much as its width allows: a large index and suit always, one big pip or the court figure from
 * 36 px, all pips, the turned index and the whole figure from 150 px (see cards.css). Index and pips need nothing else to
 * be loaded; the court figures come once for all cards.
 */
export function Card({ card, dim, raised }: Props) {
  const rank = card.slice(0, -1);
  const suit = card.slice(-1);
  const court = "KQJ".includes(rank);
  useEffect(() => {
    if (court) loadCourts();
  }, [court]);
  const classes = ["card", fourColours.value ? "four" : "two", suit, court && "court", rank === "A" && "ace", dim && "dim", raised && "raised"];
  return (
    <span class={classes.filter(Boolean).join(" ")} role="img" aria-label={cardName(card)}>
      <svg viewBox="0 0 100 140" aria-hidden="true">
        <Index rank={rank} suit={suit} />
        <Index rank={rank} suit={suit} turned />
        <path class="pip big" d={SUITS[suit]} />
        {court && <Figure rank={rank} />}
        {PIPS[rank]?.map(([x, y]) => (
          <path key={`${x} ${y}`} class="pip small" d={SUITS[suit]} transform={`translate(${x} ${y}) scale(${y > 70 ? -0.86 : 0.86})`} />
        ))}
      </svg>
    </span>
  );
}

/** Fetch and draw the court figures, once for all cards; without them a card has its index and one big pip. */
export function loadCourts(): void {
  void import("./courts.ts").then(({ drawCourts }) => drawCourts(), () => undefined);
}

function Index({ rank, suit, turned }: { rank: string; suit: string; turned?: boolean }) {
  const { path, width } = RANKS[rank] ?? { path: "", width: 0 };
  return (
    <g class={turned ? "index turned" : "index"}>
      <path class="rank" d={path} transform={`translate(${(30 - width) / 2} 0)`} />
      <path class="pip" d={SUITS[suit]} transform="translate(15 58) scale(1.1)" />
    </g>
  );
}

function Figure({ rank }: { rank: string }) {
  return (
    <g class="figure">
      <rect class="frame" x="-27.5" y="-59" width="55" height="118" rx="3" />
      <use href={`#court-${rank}`} clip-path="url(#court-cut)" />
      <use class="second" href={`#court-${rank}`} clip-path="url(#court-cut)" transform="rotate(180)" />
    </g>
  );
}

/** A card from behind, with the pattern of this device's choice. */
export function CardBack({ back = cardBack.value }: { back?: CardBackChoice }) {
  return <span class={`card back ${back}`} aria-hidden="true" />;
}

/** A place on the board where no card lies yet. */
export function CardPlace() {
  return <span class="card place" aria-hidden="true" />;
}
