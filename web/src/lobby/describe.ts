import type { Settings } from "../api/types.ts";
import { t } from "../i18n/index.ts";

/** '1/2' for a poker table, nothing for another game. */
export function blindsOf(settings: Settings): string {
  const { small_blind: small, big_blind: big } = settings;
  return typeof big === "number" ? `${String(small)}/${String(big)}` : "";
}

/** '5+3' for a chess table. */
export function timeOf(settings: Settings): string {
  if (settings.untimed) return t("preset.untimed");
  if (typeof settings.days === "number" && settings.days > 0) return t("chess.days", { n: settings.days });
  return typeof settings.minutes === "number" ? `${settings.minutes}+${String(settings.increment ?? 0)}` : "";
}
