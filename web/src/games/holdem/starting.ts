import type { PokerView } from "./types.ts";

/** Whether the server would start a game now if the host asked for it. Once it runs, the server deals by itself. */
export function canStart({ status, settings, seats, state, tournament }: PokerView): boolean {
  if (status !== "waiting" || tournament) return false;
  const { players, hand } = state;
  const withChips = players.filter((player) => player.stack > 0);
  // After a freeze-out is won, everybody has the buy-in again.
  if (settings.freeze_out && hand > 0 && withChips.length < 2) return seats.filter((seat) => seat.player).length > 1;
  const here = withChips.filter((player) => !player.sitting_out);
  return here.length > 0 && (blindsOut(settings) ? withChips : here).length > 1;
}

/** Whether players who are away stay in the game and pay, as in a tournament. */
function blindsOut({ absent = "auto", freeze_out, levels, rebuy }: PokerView["settings"]): boolean {
  if (absent !== "auto") return absent === "blind_out";
  return Boolean(freeze_out) || (Array.isArray(levels) && levels.length > 0 && !rebuy);
}
