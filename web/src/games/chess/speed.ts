import type { Settings } from "../../api/types.ts";

/** Seconds for forty moves below which a game has the speed. */
const LIMITS = [
  [180, "bullet"],
  [480, "blitz"],
  [1500, "rapid"],
] as const;

/** How fast a game is, as the server counts it (games/chess/settings.py). */
export function speedOf({ untimed, days, minutes, increment }: Settings): string {
  if (untimed) return "untimed";
  if (Number(days) > 0) return "correspondence";
  const seconds = Number(minutes) * 60 + 40 * Number(increment);
  return LIMITS.find(([limit]) => seconds < limit)?.[1] ?? "classical";
}
