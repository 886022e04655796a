import type { Settings } from "../api/types.ts";
import { gameOf } from "../games/index.ts";
import { offeredGame } from "../games/offered.ts";
import { t, tryT } from "../i18n/index.ts";

/** An identifier that nobody has translated, as words: 'King of the hill' for 'king_of_the_hill'. */
export function plain(identifier: string): string {
  const words = identifier.replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a setting is called; `among` are those of the game, which has buy-ins or not. */
export function settingName(name: string, among?: object): string {
  if (name === "approve_seats" && among && !("buy_in" in among)) return t("set.approve_players");
  return tryT(`set.${name}`, plain(name));
}

/** What one of the choices of a setting is called. */
export function optionName(setting: string, option: string): string {
  return tryT(`set.${setting}.${option}`, plain(option));
}

/** What is played at a table: 'Pot-limit Omaha', 'Crazyhouse'. */
export function gameTitle(game: string, settings: Settings): string {
  const { variant, limit, choice } = settings;
  if (choice === "rotation" || choice === "dealer") return t(`game.mix.${choice}`);
  const usual = variant === undefined || variant === "standard" || variant === game;
  const title = usual ? tryT(`game.${game}`, offeredGame(game)?.title ?? plain(game)) : optionName("variant", String(variant));
  return limit === undefined || limit === "no-limit" ? title : `${optionName("limit", String(limit))} ${title}`;
}

/** '1/2' for a poker table, nothing for another game. */
export function blindsOf(settings: Settings): string {
  const { small_blind: small, big_blind: big } = settings;
  return typeof big === "number" ? `${String(small)}/${String(big)}` : "";
}

const HOUR = 3_600_000;

/** Time on a slow clock, from a day on: '3 days', '1 d 23 h'; empty where less is left. */
export function daysLeft(ms: number): string {
  const hours = Math.floor(ms / HOUR);
  const days = Math.floor(hours / 24);
  if (!days) return "";
  return days > 1 && hours % 24 === 0 ? t("chess.days", { n: days }) : t("chess.daysHours", { days, hours: hours % 24 });
}

/** '5+3' for a game on the clock, '5+3 / 2+0' with time odds. */
export function timeOf(settings: Settings): string {
  if (settings.untimed) return t("preset.untimed");
  if (typeof settings.days === "number" && settings.days > 0) return t("chess.days", { n: settings.days });
  if (typeof settings.minutes !== "number") return "";
  const time = `${settings.minutes}+${String(settings.increment ?? 0)}`;
  return settings.odds === "second" || settings.odds === "black" ? `${time} / ${String(settings.odds_minutes)}+${String(settings.odds_increment)}` : time;
}

/** The time of a chess table, and whether its games are rated. */
export function chessStakes(settings: Settings): string {
  return settings.rated ? `${timeOf(settings)} · ${t("chess.rated")}` : timeOf(settings);
}

/** What will change, and when: 'From the next hand: blinds 5/10'. */
export function queuedWords(game: string, queued: Settings, settings: Settings): string {
  return t(`queued.${gameOf(game).round}`, { changes: changesOf(queued, settings) });
}

function changesOf(queued: Settings, settings: Settings): string {
  const { small_blind: small, big_blind: big, ...rest } = queued;
  const parts = Object.entries(rest).map(([name, value]) => `${settingName(name, settings)}: ${written(name, value)}`);
  if (small !== undefined || big !== undefined) parts.unshift(t("queued.blinds", { blinds: blindsOf({ ...settings, ...queued }) }));
  return parts.join(", ");
}

function written(name: string, value: Settings[string]): string {
  if (typeof value === "boolean") return t(value ? "queued.on" : "queued.off");
  return typeof value === "string" ? optionName(name, value) : typeof value === "number" ? String(value) : "…";
}
