import { clock, current, num, t, tryT, when } from "../i18n/index.ts";
import type { Bye } from "./meetings.ts";
import type { EntryView, Format, Info, TournamentView } from "./types.ts";

const PAIRED: ReadonlySet<Format> = new Set<Format>(["round_robin", "swiss", "knockout", "arena"]);

/** Whether two meet at each board and points count; else people sit at tables until they are out of chips. */
export const isPaired = ({ format }: { format: Format }): boolean => PAIRED.has(format);

export const formatName = (format: Format): string => t(`tour.format.${format}`);

export const statusName = (status: TournamentView["status"]): string => t(`tour.status.${status}`);

/** '3rd', '3.', '3.º'. */
export function ordinal(n: number): string {
  const rule = new Intl.PluralRules(current.value, { type: "ordinal" }).select(n);
  return tryT(`tour.ordinal.${rule}`, String(n), { n: num(n) });
}

/** '3rd', or '3rd–5th' where places are shared. */
export function placeName(place: number, placeTo: number): string {
  return placeTo > place ? `${ordinal(place)}–${ordinal(placeTo)}` : ordinal(place);
}

/** '100/200', with '(25)' where an ante is paid. */
export function blinds({ small_blind, big_blind, ante }: { small_blind: number; big_blind: number; ante: number }): string {
  return `${num(small_blind)}/${num(big_blind)}${ante ? ` (${num(ante)})` : ""}`;
}

/** When it starts: at a time, when it is full, or when the host says so. */
export function startWords({ format, start_at, entries_max }: { format: Format; start_at: number | null; entries_max: number }): string {
  if (start_at !== null) return t("tour.starts.at", { when: new Date(start_at).toDateString() === new Date().toDateString() ? clock(start_at) : when(start_at) });
  return format === "sitngo" ? t("tour.starts.full", { n: num(entries_max) }) : t("tour.starts.host");
}

/** The same where it stands alone, as a sentence; the host is told what they may do, or what they wait for. */
export function startSentence(view: Pick<TournamentView, "format" | "start_at" | "settings" | "you">): string {
  const words = startWords({ ...view, entries_max: Number(view.settings.entries_max ?? 0) });
  if (!view.you?.host || view.format === "sitngo" || view.start_at !== null) return words.charAt(0).toUpperCase() + words.slice(1);
  return view.you.can.includes("start") ? t("tour.starts.you") : t("tour.starts.few", { n: num(Number(view.settings.entries_min ?? 2)) });
}

/** Until when one may still enter a tournament that runs; nothing where one may not. */
export function lateWords({ format, status, late_until }: Pick<Info, "format" | "status" | "late_until">): string {
  if (status === "registering" || status === "finished") return "";
  if (format === "arena") return t("tour.late.arena");
  return late_until === null ? "" : t(format === "swiss" ? "tour.late.untilRound" : "tour.late.untilLevel", { n: num(late_until) });
}

export function entryOf(view: Pick<TournamentView, "entries">, entry: number | null): EntryView | undefined {
  // Entries are numbered from 1 in the order they came, so that the place is nearly always the number.
  if (entry === null) return undefined;
  const near = view.entries[entry - 1];
  return near?.entry === entry ? near : view.entries.find((one) => one.entry === entry);
}

export const entryName = (view: Pick<TournamentView, "entries">, entry: number | null): string => entryOf(view, entry)?.player.name ?? "–";

/** 'You have a bye in round 2: one point. Round 3 follows.' */
export function byeWords({ round, points, next }: Bye): string {
  const worth = t(points === 1 ? "tour.bye.one" : points === 0.5 ? "tour.bye.half" : "tour.bye.nothing", { n: num(round) });
  return next === null ? worth : `${worth} ${t("tour.bye.next", { n: num(next) })}`;
}

/** How many the place of somebody who plays is one of: in chess all who have one, as nobody there goes out by losing chips. */
export function placesNow(view: Pick<TournamentView, "format" | "standings" | "players_left">, place: number): number {
  return Math.max(place, isPaired(view) ? view.standings.length : view.players_left);
}

/** The number of a table by its code. */
export const tableNumber = (view: Pick<TournamentView, "tables">, code: string | null): number | undefined => view.tables.find((table) => table.code === code)?.number;

/** How many take part or took part; whoever was removed, or left before the start, did not. */
export function fieldSize({ entries, standings }: Pick<TournamentView, "entries" | "standings">): number {
  const placed = new Set(standings.map(({ entry }) => entry));
  return entries.filter(({ entry, status }) => status !== "removed" && (status !== "withdrawn" || placed.has(entry))).length;
}
