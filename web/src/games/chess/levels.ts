import type { Json } from "../../api/types.ts";

/** For somebody who plays now and then. */
export const USUAL_LEVEL = "level3";
const RATED_VARIANTS: readonly Json[] = ["standard", "chess960"];

/** One scale at a time: the rated levels where the server has them and their engine knows the variant, else easy to hard. */
export function fittingStyles(styles: readonly string[], variant: Json): readonly string[] {
  const rated = RATED_VARIANTS.includes(variant) && styles.some(isLevel);
  return rated ? styles.filter((style) => isLevel(style) || style === "engine") : ["easy", "medium", "hard"].filter((style) => styles.includes(style));
}

export function isLevel(style: string): boolean {
  return /^level\d$/.test(style);
}
