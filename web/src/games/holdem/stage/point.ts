import type { Point } from "./place.ts";

/** A point of the stage as a style. */
export function at({ x, y }: Point): { left: string; top: string } {
  return { left: `${x}%`, top: `${y}%` };
}
