import type { PokerView } from "../types.ts";

/** The five cards that won at a showdown; null when there is nothing to point at. */
export function winningCards(view: PokerView): Set<string> | null {
  const result = view.state.result;
  if (!result || result.reason !== "showdown") return null;
  const winners = new Set(result.pots.flatMap((pot) => pot.winners));
  const best = Object.entries(result.shown)
    .filter(([seat]) => winners.has(Number(seat)))
    .flatMap(([, shown]) => shown.best ?? []);
  return best.length ? new Set(best) : null;
}
