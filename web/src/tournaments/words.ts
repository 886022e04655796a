import { clock, current, num, t, tryT, when } from "../i18n/index.ts";
import { gameTitle, timeOf } from "../lobby/describe.ts";
import type { Settings } from "../api/types.ts";
import type { EntryView, Format, TournamentView } from "./types.ts";

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

/** What is played at the tables: 'Pot-limit Omaha', 'Chess960 · 5+3'. */
export function gameLine(game: string, settings: Settings): string {
  const table = (settings.table ?? {}) as Settings;
  return [gameTitle(game, table), timeOf(table)].filter(Boolean).join(" · ");
}

/** When it starts: at a time, when it is full, or when the host says so. */
export function startWords({ format, start_at, entries_max }: { format: Format; start_at: number | null; entries_max: number }): string {
  if (start_at !== null) return t("tour.starts.at", { when: new Date(start_at).toDateString() === new Date().toDateString() ? clock(start_at) : when(start_at) });
  return format === "sitngo" ? t("tour.starts.full", { n: num(entries_max) }) : t("tour.starts.host");
}

export function entryOf(view: Pick<TournamentView, "entries">, entry: number | null): EntryView | undefined {
  // Entries are numbered from 1 in the order they came, so that the place is nearly always the number.
  if (entry === null) return undefined;
  const near = view.entries[entry - 1];
  return near?.entry === entry ? near : view.entries.find((one) => one.entry === entry);
}

export const entryName = (view: Pick<TournamentView, "entries">, entry: number | null): string => entryOf(view, entry)?.player.name ?? "–";

/** The number of a table by its code. */
export const tableNumber = (view: Pick<TournamentView, "tables">, code: string | null): number | undefined => view.tables.find((table) => table.code === code)?.number;

/** How many take part or took part; whoever was removed, or left before the start, did not. */
export function fieldSize({ entries, standings }: Pick<TournamentView, "entries" | "standings">): number {
  const placed = new Set(standings.map(({ entry }) => entry));
  return entries.filter(({ entry, status }) => status !== "removed" && (status !== "withdrawn" || placed.has(entry))).length;
}
