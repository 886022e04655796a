import { Chips } from "../../../art/Chips.tsx";
import { money } from "../money.ts";
import type { Point } from "./place.ts";
import { at as place } from "./point.ts";

interface Props {
  spot: string;
  at: Point;
  amount: number;
  big: number;
  class: "bet" | "pot";
  label?: string;
  /** Whether others lie beside it. */
  several?: boolean;
}

/** There is room for two piles and a short figure between a seat at the side and the board. */
const SHORT = 2;
const HIGHEST = { bet: 4, pot: 3, oneOfSeveral: 5 };

/** Chips on the cloth with their amount, and a name where there are several of them. */
export function Amount({ spot, at, amount, big, class: kind, label, several = false }: Props) {
  const figure = money(amount, big);
  const piles = several ? 1 : kind === "pot" ? 3 : figure.length > SHORT ? 1 : 2;
  return (
    <span key={amount} class={`at amount-of ${kind}`} data-spot={spot} data-amount={amount} style={place(at)} aria-hidden={label === undefined}>
      <Chips amount={amount} mostPiles={piles} mostInAPile={HIGHEST[several ? "oneOfSeveral" : kind]} close />
      <span class="figure-of">
        {label && <small>{label}</small>}
        <b>{figure}</b>
      </span>
    </span>
  );
}
