import { figuresOf } from "../games/figures.ts";
import { fixed, num, t, tryT } from "../i18n/index.ts";
import { plain } from "../lobby/describe.ts";
import type { Figure, Sum } from "../api/wire.ts";

/** A figure with its name, what it is out of, and what the word means. */
export interface Tile {
  id: string;
  name: string;
  value: string;
  note?: string;
  hint?: string;
}

const PLAIN = new Set(["aggression_factor", "bb_per_100", "adjusted_bb_per_100", "net_bb", "adjusted_bb"]);

/** A figure as one reads it: a rate with its sign, a ratio, or a share in per cent. */
export function figureText(name: string, { value }: Figure, digits = 1): string {
  if (value === null) return "–";
  if (name === "aggression_factor") return fixed(value, 1);
  return PLAIN.has(name) ? signedNumber(digits ? value : Math.round(value), digits) : `${fixed(value, 0)}\u00a0%`;
}

export function signedNumber(value: number, digits = 0): string {
  const text = digits ? fixed(Math.abs(value), digits) : num(Math.abs(value));
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

/** 'gain' or 'loss', for what stands in the colour of one. */
export const tone = (value: number | null | undefined): string => (value ? (value > 0 ? "gain" : "loss") : "");

function note(id: string, { low, high, made, chances }: Figure): string {
  if (typeof low === "number" && typeof high === "number") return t("stats.interval", { low: signedNumber(low, 1), high: signedNumber(high, 1) });
  return made != null && chances && id !== "aggression_factor" ? t("stats.of", { made: num(made), chances: num(chances) }) : "";
}

/** The tiles of a game: how much was played and what it came to, then every figure. */
export function tilesOf(game: string, { rounds, counts, figures }: Sum): Tile[] {
  const tiles: Tile[] = [{ id: "rounds", name: tryT(`stats.rounds.${game}`, t("stats.rounds")), value: num(rounds) }];
  const { order, chips } = figuresOf(game);
  if (chips) {
    tiles.push({ id: "net", name: t("stats.net"), value: signedNumber(counts.net ?? 0), hint: t("explain.net") });
    if (counts.all_ins) tiles.push({ id: "adjusted_net", name: t("stats.adjusted_net"), value: signedNumber(counts.adjusted_net ?? 0), note: t("stats.allIns", { n: num(counts.all_ins) }), hint: t("explain.adjusted_net") });
  }
  for (const id of order.length ? order : Object.keys(figures)) {
    const figure = figures[id];
    if (figure) tiles.push({ id, name: tryT(`stats.${id}`, plain(id)), value: figureText(id, figure), note: note(id, figure), hint: tryT(`explain.${id}`, "") });
  }
  return tiles;
}

/** What a game counts that brings no figures of its own. */
export function countTiles(counts: Record<string, number>): Tile[] {
  return Object.entries(counts).map(([id, value]) => ({ id, name: tryT(`stat.${id}`, plain(id)), value: num(value) }));
}
