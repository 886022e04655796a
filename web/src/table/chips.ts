import { num, t } from "../i18n/index.ts";

/** What comes at the end of the hand: 'After this hand: Bo +100 (paid in cash)'. */
export function chipsWords(name: string, chips: number, reason: string): string {
  const change = signed(chips);
  return reason ? t("queued.correction", { name, chips: change, reason }) : t("queued.chips", { name, chips: change });
}

/** A number of chips with its sign. */
export const signed = (chips: number): string => (chips < 0 ? `−${num(-chips)}` : `+${num(chips)}`);
