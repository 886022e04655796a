import { inBigBlinds } from "../../app/prefs.ts";
import { chips, current, num } from "../../i18n/index.ts";

/** An amount as the person likes it: in chips, shortened where it is long, or in big blinds. */
export function money(amount: number, bigBlind: number): string {
  return showsBlinds(bigBlind) ? `${blinds(amount, bigBlind, 1)} bb` : chips(amount);
}

/** The same in full, for what somebody is about to pay or has won. */
export function exact(amount: number, bigBlind: number): string {
  return showsBlinds(bigBlind) ? `${blinds(amount, bigBlind, 2)} bb` : num(amount);
}

/** An amount as it stands in a field to type in, without a unit or marks between thousands. */
export function editable(amount: number, bigBlind: number): string {
  return showsBlinds(bigBlind) ? blinds(amount, bigBlind, 2, false) : String(amount);
}

/** The chips that somebody typed: a whole number, or big blinds with a point or a comma. */
export function readAmount(text: string, bigBlind: number): number {
  return showsBlinds(bigBlind) ? chipsOf(text, bigBlind) : Number(text.replace(/\D/g, ""));
}

export function showsBlinds(bigBlind: number): boolean {
  return inBigBlinds.value && bigBlind > 0;
}

function chipsOf(text: string, bigBlind: number): number {
  const [, whole = "", part = ""] = /(\d*)(?:[.,](\d*))?/.exec(text.trim()) ?? [];
  return Math.round(Number(`${whole || 0}.${part || 0}`) * bigBlind);
}

function blinds(amount: number, bigBlind: number, decimals: number, useGrouping = true): string {
  return (amount / bigBlind).toLocaleString(current.value, { maximumFractionDigits: decimals, useGrouping });
}

/** What somebody won or lost, with its sign. */
export function signed(amount: number, bigBlind: number): string {
  const sign = amount > 0 ? "+" : amount < 0 ? "−" : "±";
  return sign + exact(Math.abs(amount), bigBlind);
}
