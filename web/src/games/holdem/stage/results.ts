import { current, num, t } from "../../../i18n/index.ts";
import type { PokerResult, PokerView } from "../types.ts";
import { madeName } from "../words.ts";

interface Win {
  pots: number[];
  winners: number[];
  amount: number;
  made: string | null;
}

/** Pots that the same people won with the same hand are told together. */
function winsOf(result: PokerResult): Win[] {
  const wins: Win[] = [];
  result.pots.forEach((pot, index) => {
    if (!pot.winners.length) return;
    const same = wins.find((win) => win.winners.join() === pot.winners.join());
    const made = pot.made ?? result.shown[String(pot.winners[0])]?.made ?? null;
    if (!same) wins.push({ pots: [index], winners: pot.winners, amount: pot.amount, made });
    else {
      same.pots.push(index);
      same.amount += pot.amount;
    }
  });
  return wins;
}

/** The name of a hand in the middle of a sentence; German nouns keep their capitals. */
function inSentence(hand: string): string {
  return current.value === "de" ? hand : hand.charAt(0).toLowerCase() + hand.slice(1);
}

/** Who won how much with what, a line for each pot; nothing while the hand goes on. */
export function resultLines(view: PokerView): string[] {
  const result = view.state.result;
  if (!result) return [];
  const name = (seat: number) => view.seats.find((one) => one.seat === seat)?.player?.name ?? t("seat.n", { n: seat + 1 });
  const wins = winsOf(result);
  if (!wins.length) {
    return Object.entries(result.payouts)
      .filter(([, amount]) => amount > 0)
      .map(([seat, amount]) => t("say.wins", { name: name(Number(seat)), amount: num(amount) }));
  }
  return wins.map(({ pots, winners, amount, made }) => {
    const hand = inSentence(madeName(made));
    const places = { name: winners.map(name).join(t("result.and")), amount: num(amount), hand };
    const split = winners.length > 1;
    const words = hand ? t(split ? "result.splitWith" : "result.winsWith", places) : t(split ? "result.split" : "say.wins", places);
    if (pots.length === result.pots.length) return words;
    const which = pots.map((pot) => (pot ? t("poker.side", { n: pot }) : t("poker.main"))).join(", ");
    return `${which}: ${words}`;
  });
}
