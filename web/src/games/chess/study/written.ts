import { figurines } from "../../../app/prefs.ts";
import { t, tryT } from "../../../i18n/index.ts";
import { spokenMove } from "../words.ts";
import { NAGS, withFigures, withLetters } from "./notation.ts";

/** A move as this person reads moves. */
export function written(san: string, nags: readonly number[] = []): string {
  const move = figurines.value ? withFigures(san) : withLetters(san, t("chess.letters"));
  return move + nags.map((nag) => NAGS[nag] ?? "").join("");
}

/** A move as one says it, with what an annotator thought of it. */
export function spoken(san: string, nags: readonly number[] = []): string {
  return [spokenMove(san), ...nags.map((nag) => tryT(`nag.${nag}`, NAGS[nag] ?? ""))].filter(Boolean).join(", ");
}
