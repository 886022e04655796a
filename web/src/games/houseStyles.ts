import type { GameInfo, Settings } from "../api/types.ts";
import { num, tryT } from "../i18n/index.ts";
import { plain } from "../lobby/describe.ts";
import { gameOf } from "./index.ts";

/** The ways in which the house can play at a table with these settings, in words, and which is proposed. */
export function houseStyles(games: readonly GameInfo[] | null | undefined, game: string, settings: Settings): { styles: (readonly [string, string])[]; usual: string } {
  const { bots = [], ratings = {} } = games?.find(({ name }) => name === game) ?? {};
  const { fitting, usual = "" } = gameOf(game).house ?? {};
  const fit = fitting?.(bots, settings) ?? bots;
  const styles = fit.map((style) => [style, styleName(style, ratings[style])] as const);
  return { styles, usual: fit.includes(usual) ? usual : (fit[0] ?? "") };
}

function styleName(style: string, rating: number | undefined): string {
  const name = tryT(`style.${style}`, plain(style));
  return rating === undefined ? name : `${name} · ${num(rating)}`;
}
