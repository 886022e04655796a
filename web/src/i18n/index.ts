import { signal } from "@preact/signals";
import { language } from "../app/prefs.ts";
import { en } from "./en.ts";

export type Key = keyof typeof en;
export type Catalogue = Record<Key, string>;

/** Every language there is: add a file beside en.ts and a line here. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

const catalogue = signal<Catalogue>(en);
export const current = signal<Language>("en");

/** A language: the words of the page, and those for the server's refusals by their code. English refusals are the server's. */
interface Words {
  page: Catalogue;
  refusals: Readonly<Record<string, string>>;
}

const refusals = signal<Words["refusals"]>({});

const LOADERS: Record<Language, () => Promise<Words>> = {
  en: async () => ({ page: en, refusals: {} }),
  de: async () => ({ page: (await import("./de.ts")).de, refusals: (await import("./refusals.de.ts")).refusals }),
  es: async () => ({ page: (await import("./es.ts")).es, refusals: (await import("./refusals.es.ts")).refusals }),
};

function preferred(): Language {
  const wishes = language.value ? [language.value] : navigator.languages;
  const known = wishes.map((wish) => wish.slice(0, 2)).find((wish) => wish in LANGUAGES);
  return (known as Language | undefined) ?? "en";
}

/** Loads the language that the person chose, or that their browser asks for. */
export async function loadLanguage(): Promise<void> {
  const wish = preferred();
  try {
    const words = await LOADERS[wish]();
    catalogue.value = words.page;
    refusals.value = words.refusals;
    current.value = wish;
    document.documentElement.lang = wish;
  } catch {
    // The file could not be loaded: the words at hand must do.
  }
}

/** The words for a key, with {places} filled in. */
export function t(key: Key, places: Record<string, string | number> = {}): string {
  return catalogue.value[key].replace(/\{(\w+)\}/g, (_, name: string) => String(places[name] ?? ""));
}

/** The words for a key that is put together at run time, or the bare word where the catalogue has none. */
export function tryT(key: string, fallback: string, places: Record<string, string | number> = {}): string {
  return key in catalogue.value ? t(key as Key, places) : fallback;
}

/** What the server's refusal with this code is called; undefined where its own words must do. */
export function refusal(code: string): string | undefined {
  return refusals.value[code] ?? (code.startsWith("too_many_") ? refusals.value.too_many_requests : undefined);
}

/** The person's own way to write numbers and dates, where it belongs to the language shown. */
function region(): string {
  return navigator.languages.find((wish) => wish.startsWith(current.value)) ?? current.value;
}

export function num(value: number): string {
  return value.toLocaleString(region());
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

/** A day by itself; days are counted in UTC. */
export function day(at: number): string {
  return new Date(at).toLocaleDateString(region(), { dateStyle: "medium", timeZone: "UTC" });
}

export function when(at: number): string {
  return new Date(at).toLocaleString(region(), { dateStyle: "medium", timeStyle: "short" });
}
