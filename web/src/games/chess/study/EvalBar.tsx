import type { Colour } from "../types.ts";
import { shareOf, type EngineLine } from "./score.ts";

/** Who stands better, as a bar beside the board: White's share of it is light. */
export function EvalBar({ best, bottom }: { best: EngineLine | null; bottom: Colour }) {
  const share = best ? shareOf(best.score) : 0.5;
  return (
    <div class={`eval ${bottom}${best ? "" : " unknown"}`} aria-hidden="true">
      <i style={{ transform: `scaleY(${share})` }} />
    </div>
  );
}
