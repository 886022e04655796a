import { signal } from "@preact/signals";
import { language } from "../app/prefs.ts";
import { words as lobby } from "./en/lobby.ts";
import { words as shell } from "./en/shell.ts";
import { words as table } from "./en/table.ts";

/** The words come in areas: these three with the page, the others with the part that needs them. */
const FIRST = { ...shell, ...lobby, ...table };
export type Area = "calc" | "chess" | "editor" | "files" | "generic" | "history" | "holdem" | "host" | "house" | "look" | "me" | "play" | "refusals" | "report" | "settings" | "stats" | "study" | "tournaments";
type Later =
  | typeof import("./en/calc.ts").words
  | typeof import("./en/chess.ts").words
  | typeof import("./en/editor.ts").words
  | typeof import("./en/files.ts").words
  | typeof import("./en/study.ts").words
  | typeof import("./en/generic.ts").words
  | typeof import("./en/history.ts").words
  | typeof import("./en/holdem.ts").words
  | typeof import("./en/host.ts").words
  | typeof import("./en/house.ts").words
  | typeof import("./en/look.ts").words
  | typeof import("./en/me.ts").words
  | typeof import("./en/play.ts").words
  | typeof import("./en/refusals.ts").words
  | typeof import("./en/report.ts").words
  | typeof import("./en/settings.ts").words
  | typeof import("./en/stats.ts").words
  | typeof import("./en/tournaments.ts").words;
type KeysOf<T> = T extends unknown ? keyof T : never;
export type Key = keyof typeof FIRST | KeysOf<Later>;
type Words = Readonly<Record<string, string>>;

/** Every language there is: add a folder beside en and a line here. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

const catalogue = signal<Words>(FIRST);
export const current = signal<Language>("en");
const areas = new Set<string>(["shell", "lobby", "table"]);

async function fetchWords(wish: Language, names: Iterable<string>): Promise<Words> {
  const parts = await Promise.all([...names].map(async (area) => ((await import(`./${wish}/${area}.ts`)) as { words: Words }).words));
  return Object.assign({}, ...parts) as Words;
}

const loading = new Map<string, Promise<void>>();

/** Loads the words of a part of the app, in the language that is shown. */
export async function loadWords(...names: Area[]): Promise<void> {
  await Promise.all(
    names.map((name) => {
      const started = loading.get(name) ?? loadArea(name);
      loading.set(name, started);
      return started;
    }),
  );
}

function add(words: Words): void {
  catalogue.value = { ...catalogue.value, ...words };
}

async function loadArea(name: Area): Promise<void> {
  try {
    let fetched: Language;
    do {
      fetched = current.value;
      add(await fetchWords(fetched, [name]));
    } while (fetched !== current.value);
    areas.add(name);
  } catch (error) {
    loading.delete(name);
    throw error;
  }
}

function preferred(): Language {
  const wishes = language.value ? [language.value] : navigator.languages;
  const known = wishes.map((wish) => wish.slice(0, 2)).find((wish) => wish in LANGUAGES);
  return (known as Language | undefined) ?? "en";
}

/** Loads the language that the person chose, or that their browser asks for. */
export async function loadLanguage(): Promise<void> {
  const wish = preferred();
  try {
    if (wish === "en" && current.value === "en") return;
    const asked = new Set(areas);
    const words = await fetchWords(wish, asked);
    add(words);
    current.value = wish;
    document.documentElement.lang = wish;
    const late = [...areas].filter((area) => !asked.has(area));
    if (late.length) add(await fetchWords(wish, late));
  } catch {
    // The file could not be loaded: the words at hand must do.
  }
}

/** The words for a key, with {places} filled in. */
export function t(key: Key, places: Record<string, string | number> = {}): string {
  return (catalogue.value[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(places[name] ?? ""));
}

/** The words for a key that is put together at run time, or the bare word where the catalogue has none. */
export function tryT(key: string, fallback: string, places: Record<string, string | number> = {}): string {
  return key in catalogue.value ? t(key as Key, places) : fallback;
}

/** What the server's refusal with this code is called; undefined where its own words must do. */
export function refusal(code: string): string | undefined {
  const known = code.startsWith("too_many_") && !(`refusal.${code}` in catalogue.value) ? "too_many_requests" : code;
  return tryT(`refusal.${known}`, "") || undefined;
}

/** The person's own way to write numbers and dates, where it belongs to the language shown. */
function region(): string {
  return navigator.languages.find((wish) => wish.startsWith(current.value)) ?? current.value;
}

const formats = new Map<string, Intl.NumberFormat>();

export function num(value: number): string {
  // Most numbers are small and look the same everywhere; the browser takes long to get ready for the others.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  const here = region();
  const format = formats.get(here) ?? new Intl.NumberFormat(here);
  formats.set(here, format);
  return format.format(value);
}

/** Names as the language lists them: 'Ada, Bo and Cy'. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(region()).format(names);
}

/** A number with so many digits behind the point, or comma. */
export function fixed(value: number, digits: number): string {
  return value.toLocaleString(region(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Chips in few characters: 950, 12,500, 123K, 3.21M. */
export function chips(value: number): string {
  if (Math.abs(value) < 100_000) return num(value);
  return new Intl.NumberFormat(region(), { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

/** A stretch of time in one unit: '3 days', '5 hours', '1 minute'. */
export function span(ms: number): string {
  const [value, unit] = ms >= 2 * 86_400_000 ? [ms / 86_400_000, "day"] : ms >= 2 * 3_600_000 ? [ms / 3_600_000, "hour"] : [Math.max(1, ms / 60_000), "minute"];
  return Math.floor(value).toLocaleString(region(), { style: "unit", unit, unitDisplay: "long" });
}

/** A day by itself; days are counted in UTC. */
export function day(at: number): string {
  return new Date(at).toLocaleDateString(region(), { dateStyle: "medium", timeZone: "UTC" });
}

/** A time of today. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString(region(), { timeStyle: "short" });
}

export function when(at: number): string {
  return new Date(at).toLocaleString(region(), { dateStyle: "medium", timeStyle: "short" });
}
