import { current, listed, t } from "../../../i18n/index.ts";
import { playedBy } from "../../../table/leavers.ts";
import { exact, money } from "../money.ts";
import type { PokerPart, PokerResult, PokerView } from "../types.ts";
import { kindName, madeName } from "../words.ts";

type PaidPot = Pick<PokerResult["pots"][number], "amount" | "winners" | "shares" | "parts"> & { made?: string | null };

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

/** The parts of all pots that have been paid; the same part of several pots, won by the same people, is told once. */
export function partsOf({ pots }: { pots: readonly PaidPot[] }): PokerPart[] {
  const parts: PokerPart[] = [];
  for (const pot of pots.filter((one) => one.winners.length)) {
    for (const part of pot.parts ?? [{ board: 0, side: "high", ...pot }]) {
      const same = parts.find((one) => one.board === part.board && one.side === part.side && one.winners.join() === part.winners.join());
      if (same) same.amount += part.amount;
      else parts.push({ ...part });
    }
  }
  return parts.sort((a, b) => a.board - b.board || a.side.localeCompare(b.side) || b.amount - a.amount);
}

/** The name of a hand in the middle of a sentence; German nouns keep their capitals. */
function inSentence(hand: string): string {
  return current.value === "de" ? hand : hand.charAt(0).toLowerCase() + hand.slice(1);
}

/** 'Main pot', 'Side pot 2'; 'Side pot' where there is only one. */
export function potName(pot: number, count: number): string {
  return pot ? t(count === 2 ? "poker.side.only" : "poker.side", { n: pot }) : t("poker.main");
}

/** 'Main pot', 'Side pot 2', 'Main pot, Side pots 1–3'. */
function potNames(pots: number[], count: number): string {
  const sides = pots.filter((pot) => pot > 0);
  const [first = 0, last = 0] = [sides[0], sides.at(-1)];
  const inRow = sides.length > 1 && last - first === sides.length - 1;
  const names = inRow ? [t("poker.sides", { first, last })] : sides.map((n) => potName(n, count));
  return (pots.includes(0) ? [t("poker.main"), ...names] : names).join(", ");
}

/** Who won how much with what, a line for each pot; nothing while the hand goes on. */
export function resultLines(view: PokerView): string[] {
  const result = view.state.result;
  if (!result) return [];
  const name = (seat: number) => playedBy(view, seat)?.name ?? t("seat.n", { n: seat + 1 });
  if (result.pots.some((pot) => pot.parts?.length)) return partLines(view, result, name).concat(bountyLine(view, name));
  const wins = winsOf(result);
  // A line for each pot has little room: long amounts are shortened, of the hands the kind alone is named.
  const brief = wins.some((win) => win.pots.length < result.pots.length);
  const amountOf = (amount: number) => (brief ? money : exact)(amount, view.state.blinds[1]);
  if (!wins.length) {
    return Object.entries(result.payouts)
      .filter(([, amount]) => amount > 0)
      .map(([seat, amount]) => t("say.wins", { name: name(Number(seat)), amount: amountOf(amount) }));
  }
  const lines = wins.map(({ pots, winners, amount, made }) => {
    const hand = made ? inSentence(brief ? kindName(made) : madeName(made)) : "";
    const places = { name: listed(winners.map(name)), amount: amountOf(amount), hand };
    const split = winners.length > 1;
    const bare = t(split ? "result.split" : "say.wins", places);
    if (brief) return `${potNames(pots, result.pots.length)}: ${hand ? `${bare}, ${hand}` : bare}`;
    return hand ? t(split ? "result.splitWith" : "result.winsWith", places) : bare;
  });
  return lines.concat(bountyLine(view, name));
}

/** Who won the parts of pots: a line for each board, or for each half where there is one board. */
function partLines({ state }: PokerView, result: PokerResult, name: (seat: number) => string): string[] {
  const all = result.pots.flatMap((pot) => pot.parts ?? []);
  const several = all.some((part) => part.board > 0);
  const halves = all.some((part) => part.side === "low");
  const lines = new Map<string, string[]>();
  const parts = partsOf(result);
  for (const { board, side, winners, amount, made } of parts) {
    const half = halves ? t(side === "low" ? "part.low" : "part.high") : "";
    // A line with several winners has room for amounts and a few names only.
    const brief = several && parts.filter((part) => part.board === board).length > 1;
    const crowd = brief && winners.length > 3;
    const who = crowd ? t("result.crowd", { count: winners.length }) : listed(winners.map(name));
    const places = { name: who, amount: money(amount, state.blinds[1]) };
    const won = brief ? `${places.name} ${places.amount}` : t(winners.length > 1 ? "result.split" : "say.wins", places);
    const told = [won, !brief && made && inSentence(kindName(made))].filter(Boolean).join(", ");
    const head = several ? t("poker.boardN", { n: board + 1 }) : half;
    lines.set(head, [...(lines.get(head) ?? []), several && half ? `${half}: ${told}` : told]);
  }
  return [...lines].map(([head, told]) => `${head}${several && halves ? " · " : ": "}${told.join(" · ")}`);
}

/** The bounty of the 7-2 game, where one was paid. */
function bountyLine({ state: { bounty, blinds } }: PokerView, name: (seat: number) => string): string[] {
  if (!bounty) return [];
  const amount = Object.values(bounty.paid).reduce((sum, chips) => sum + chips, 0);
  return [t("say.bounty", { name: name(bounty.seat), amount: money(amount, blinds[1]) })];
}
