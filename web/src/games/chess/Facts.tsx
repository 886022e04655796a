import { t } from "../../i18n/index.ts";
import { timeOf } from "../../lobby/describe.ts";
import type { ChessView } from "./types.ts";

/** What is played here, in one line that is always there: 'Rated · 5+3', and the opening as soon as it has a name. */
export function Facts({ view: { state, settings } }: { view: ChessView }) {
  const kind = [t(state.rated ? "chess.rated" : "chess.casual"), timeOf(settings)].filter(Boolean).join(" · ");
  return (
    <p class="game-facts">
      <span class="muted">{kind}</span>
      {state.opening && (
        <b class="opening ellipsis" title={state.opening.name}>
          <span class="eco">{state.opening.eco}</span> {state.opening.name}
        </b>
      )}
    </p>
  );
}
