import { effect, signal, type Signal } from "@preact/signals";

/** Choices of this device, kept in the browser. */
function kept<T extends string | boolean | number>(name: string, start: T): Signal<T> {
  const key = `parlour.${name}`;
  let value = start;
  try {
    const stored = localStorage.getItem(key);
    if (stored !== null) value = JSON.parse(stored) as T;
  } catch {
    // Storage may be closed to us; the choice then lasts as long as the page.
  }
  const chosen = signal(value);
  let first = true;
  effect(() => {
    const json = JSON.stringify(chosen.value);
    if (first) return void (first = false);
    try {
      localStorage.setItem(key, json);
    } catch {
      // As above.
    }
  });
  return chosen;
}

export type Theme = "auto" | "light" | "dark";
export const theme = kept<Theme>("theme", "auto");
export const fourColours = kept<boolean>("fourColours", true);
export type CardBackChoice = "lattice" | "fans";
export const cardBack = kept<CardBackChoice>("cardBack", "lattice");
export type Felt = "green" | "blue" | "burgundy";
export const felt = kept<Felt>("felt", "green");
export const sounds = kept<boolean>("sounds", true);
/** From 0 to 1; quiet unless somebody wants it louder. */
export const volume = kept<number>("volume", 0.4);
/** Whether things move; where the system asks for less of that, they do not until somebody says so. */
export const animations = kept<boolean>("animations", !globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches);
export const notify = kept<boolean>("notify", false);
export const language = kept<string>("language", "");
export const textTable = kept<boolean>("textTable", false);
export const inBigBlinds = kept<boolean>("inBigBlinds", false);
export const potOdds = kept<boolean>("potOdds", false);
export type BoardTheme = "walnut" | "club" | "sea" | "slate" | "plum";
export const boardTheme = kept<BoardTheme>("boardTheme", "walnut");
export type PieceSet = "parlour" | "classic";
export const pieceSet = kept<PieceSet>("pieceSet", "parlour");
/** Level and clock of the last chess game against the house: 'medium 10+5'. */
export const houseChess = kept<string>("houseChess", "level3 10+5");
/** Whether moves are written with small pieces instead of letters. */
export const figurines = kept<boolean>("figurines", false);
/** How many lines the engine shows. */
export const engineLines = kept<"1" | "2" | "3">("engineLines", "1");
/** What was played last on this device. */
export const lastGame = kept<string>("lastGame", "");
/** Whether this browser has fetched the typefaces before. */
export const fontsSeen = kept<boolean>("fonts", false);
export const lastName = kept<string>("name", "");

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
