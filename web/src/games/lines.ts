import type { ComponentType } from "preact";
import type { RoundLine } from "../api/types.ts";
import { loadWords } from "../i18n/index.ts";
import { lazy } from "../ui/Lazy.tsx";

type Line = ComponentType<{ line: RoundLine }>;

/** How a round of each game stands in a list of the record. They are apart from the games' entries, which every page loads. */
export const LINES: Record<string, Line> = {
  holdem: lazy(async () => {
    const [line] = await Promise.all([import("./holdem/HandLine.tsx"), loadWords("holdem")]);
    return line.HandLine;
  }, true),
  chess: lazy(async () => {
    const [line] = await Promise.all([import("./chess/GameLine.tsx"), import("./chess/art/sets.ts").then((pieces) => pieces.dressPieces()), loadWords("chess")]);
    return line.GameLine;
  }, true),
};
