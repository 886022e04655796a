import type { Colour } from "../types.ts";
import { shareOf, type EngineLine } from "./engine.ts";

/** Who stands better, as a bar: White's share of it is light. Upright beside a board, else flat. */
export function EvalBar({ best, bottom }: { best: EngineLine | null; bottom?: Colour }) {
  const share = best ? shareOf(best.score) : 0.5;
  const axis = bottom ? "scaleY" : "scaleX";
  return (
    <div class={`eval${bottom ? ` upright ${bottom}` : ""}${best ? "" : " unknown"}`} aria-hidden="true">
      <i style={{ transform: `${axis}(${share})` }} />
    </div>
  );
}
