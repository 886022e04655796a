import { Chips } from "../../../art/Chips.tsx";
import { money } from "../money.ts";
import type { Point } from "./place.ts";
import { at as place } from "./point.ts";

interface Props {
  spot: string;
  at: Point;
  amount: number;
  big: number;
  class: string;
  label?: string;
}

/** More would reach from a seat at the side into the board. */
const PILES_OF_A_BET = 2;

/** Chips on the cloth with their amount, and a name where there are several of them. */
export function Amount({ spot, at, amount, big, class: kind, label }: Props) {
  return (
    <span key={amount} class={`at amount-of ${kind}`} data-spot={spot} data-amount={amount} style={place(at)} aria-hidden={label === undefined}>
      <Chips amount={amount} mostPiles={kind === "bet" ? PILES_OF_A_BET : undefined} />
      <span class="figure-of">
        {label && <small>{label}</small>}
        <b>{money(amount, big)}</b>
      </span>
    </span>
  );
}
