import { inBigBlinds } from "../../app/prefs.ts";
import { chips, current, num } from "../../i18n/index.ts";

/** An amount as the person likes it: in chips, shortened where it is long, or in big blinds. */
export function money(amount: number, bigBlind: number): string {
  return written(amount, bigBlind, chips);
}

/** The same to the chip, for what somebody is about to pay. */
export function exact(amount: number, bigBlind: number): string {
  return written(amount, bigBlind, num);
}

function written(amount: number, bigBlind: number, inChips: (amount: number) => string): string {
  if (!inBigBlinds.value || !bigBlind) return inChips(amount);
  return `${(amount / bigBlind).toLocaleString(current.value, { maximumFractionDigits: 1 })} bb`;
}
