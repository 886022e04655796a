import type { Person, SeatView, View } from "../api/types.ts";

/** A seat, and at a table of a tournament who played the round that is still shown there, if they have gone. */
export type KeptSeat = SeatView & { left?: Person };

/** The hand or game that the view shows. */
function roundOf({ state }: View): unknown {
  const { hand, game } = (state ?? {}) as { hand?: unknown; game?: unknown };
  return hand ?? game;
}

/**
 * The view with whom the tournament has taken away since the round that is shown: it moves people on, or closes the table,
 * while the others still look at the result, and that has names. With the next round they are forgotten.
 */
export function withLeavers<V extends View>(before: View | null, view: V): V {
  if (!view.tournament || !before || before.code !== view.code || !roundOf(view) || roundOf(before) !== roundOf(view)) return view;
  const known = new Map((before.seats as KeptSeat[]).map(({ seat, player, left }) => [seat, left ?? player]));
  const seats = view.seats.map((seat): KeptSeat => {
    const played = known.get(seat.seat);
    return played && played.id !== seat.player?.id ? { ...seat, left: played } : seat;
  });
  return { ...view, seats };
}

/** Who played the round that is shown, or sits there now. */
export const playedBy = (view: Pick<View, "seats">, seat: number): Person | null => {
  const found = (view.seats as KeptSeat[]).find((one) => one.seat === seat);
  return found?.left ?? found?.player ?? null;
};

/** The seat from which somebody played the round that is shown; null where they only watched. */
export function playedFrom({ seats, you }: Pick<View, "seats" | "you">): number | null {
  if (!you) return null;
  return you.seats[0] ?? (seats as KeptSeat[]).find(({ left }) => left?.id === you.id)?.seat ?? null;
}
