import { inBigBlinds } from "../app/prefs.ts";
import { chips, current } from "../i18n/index.ts";

/** An amount as the person likes it: in chips, or in big blinds. */
export function money(amount: number, bigBlind: number): string {
  if (!inBigBlinds.value || !bigBlind) return chips(amount);
  return `${(amount / bigBlind).toLocaleString(current.value, { maximumFractionDigits: 1 })} bb`;
}
