import type { PokerResult, PokerView } from "../types.ts";

/** The five cards that won at a showdown; null when there is nothing to point at. */
export function winningCards(view: PokerView): Set<string> | null {
  const result = view.state.result;
  if (!result || result.reason !== "showdown") return null;
  const parts = result.pots.flatMap((pot) => pot.parts ?? []);
  if (parts.length) {
    const cards = parts.flatMap(({ board, side, winners }) => winners.flatMap((seat) => bestFor(result, seat, board, side)));
    return cards.length ? new Set(cards) : null;
  }
  const winners = new Set(result.pots.flatMap((pot) => pot.winners));
  const best = Object.entries(result.shown)
    .filter(([seat]) => winners.has(Number(seat)))
    .flatMap(([, shown]) => shown.best ?? []);
  return best.length ? new Set(best) : null;
}

/** The five cards of a seat for one part of a pot. */
function bestFor(result: PokerResult, seat: number, board: number, side: string): string[] {
  const shown = result.shown[String(seat)];
  if (board === 0 && side === "high") return shown?.best ?? [];
  return shown?.more?.find((worth) => worth.board === board && worth.side === side)?.best ?? [];
}
