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
  const mine = view.state.players.find((player) => player.seat === seat);
  if (!mine) return 0;
  const highest = Math.max(0, ...view.state.players.map((player) => player.bet));
  return Math.min(Math.max(0, highest - mine.bet), mine.stack);
}

/** Whether the choice still speaks of the present decision. A raise in between undoes the agreement to a price. */
export function stillMeant(choice: PreAction, view: PokerView): boolean {
  const seat = view.you?.seats[0];
  if (seat === undefined || choice.hand !== view.state.hand || choice.street !== view.state.street) return false;
  return choice.kind !== "call" || priceFor(view, seat) === choice.price;
}

/** What the choice does now that the turn has come; null where it does not fit any more. */
export function decision(choice: PreAction, legal: PokerLegal): { type: string } | null {
  if (legal.actions.includes("check")) return { type: "check" };
  if (choice.kind === "checkFold") return { type: "fold" };
  const goOn = legal.actions.includes("call") ? "call" : "allin";
  return choice.kind === "callAny" || legal.call === choice.price ? { type: goOn } : null;
}
