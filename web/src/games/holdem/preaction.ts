import type { PokerLegal, PokerView, Street } from "./types.ts";

/** A choice made before one's turn. It holds for the hand, the street and the price it was made for, nothing else. */
export interface PreAction {
  kind: "checkFold" | "call" | "callAny";
  hand: number;
  street: Street | null;
  /** The chips to add that were agreed to. */
  price: number;
}

/** What this seat would have to add to go on. */
export function priceFor(view: PokerView, seat: number): number {
  return view.state.players.find((player) => player.seat === seat)?.call ?? 0;
}

/** Whether the choice still speaks of the present decision. A raise in between undoes the agreement to a price. */
export function stillMeant(choice: PreAction, view: PokerView): boolean {
  const seat = view.you?.seats[0];
  if (seat === undefined || choice.hand !== view.state.hand || choice.street !== view.state.street) return false;
  return choice.kind !== "call" || priceFor(view, seat) === choice.price;
}

/** What the choice does now that the turn has come; null where it does not fit any more, or would take every chip. */
export function decision(choice: PreAction, legal: PokerLegal): { type: string } | null {
  if (legal.actions.includes("check")) return { type: "check" };
  if (choice.kind === "checkFold") return { type: "fold" };
  if (legal.call_all_in) return null;
  return choice.kind === "callAny" || legal.call === choice.price ? { type: "call" } : null;
}
