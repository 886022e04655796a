import { t } from "../../i18n/index.ts";
import type { ChessView } from "./types.ts";

/** Whether the game counts, in one line that is always there, and the opening as soon as it has a name. */
export function Facts({ view: { state } }: { view: ChessView }) {
  return (
    <p class="game-facts">
      <span class="muted">{t(state.rated ? "chess.rated" : "chess.casual")}</span>
      {state.opening && (
        <b class="opening ellipsis" title={state.opening.name}>
          <span class="eco">{state.opening.eco}</span> {state.opening.name}
        </b>
      )}
    </p>
  );
}
