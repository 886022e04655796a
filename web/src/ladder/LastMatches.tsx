import { get } from "../api/http.ts";
import { hasChips } from "../games/figures.ts";
import { fixed, num, t, when } from "../i18n/index.ts";
import { useLoaded } from "../ui/useLoaded.ts";
import { entrantName } from "./LadderPage.tsx";
import type { LadderMatch, MatchSide } from "../api/wire.ts";

/** The matches of late, the newest first. */
export function LastMatches({ game }: { game: string }) {
  const matches = useLoaded(() => get<LadderMatch[]>(`/ladder/matches?game=${game}&limit=12`), []);
  return (
    <section class="panel" aria-labelledby="last-matches">
      <h2 id="last-matches">{t("ladder.last")}</h2>
      {matches?.length ? (
        <ul class="ladder-matches">
          {matches.map((match) => (
            <li key={match.id}>
              <span class="sides">
                {match.sides.map((side) => (
                  <span key={side.id} class={side.result === 1 ? "won" : ""}>
                    <span class="ellipsis">{entrantName(side)}</span>
                    <b>{points(match.game, side)}</b>
                  </span>
                ))}
              </span>
              {match.ended === null && match.table && <a href={`/t/${match.table}`}>{t("ladder.watch")}</a>}
              <small class="muted">{match.ended === null ? t("ladder.under") : `${t(hasChips(game) ? "ladder.hands" : "ladder.games", { n: num(match.rounds) })} · ${when(match.ended)}`}</small>
            </li>
          ))}
        </ul>
      ) : (
        <p class="empty">{matches === undefined ? t("loading") : t("ladder.none")}</p>
      )}
    </section>
  );
}

/** '+1.3 bb' for each hand where there are chips, else points such as '1½'. */
function points(game: string, { points: scored }: MatchSide): string {
  if (scored === null) return "";
  if (hasChips(game)) return t("ladder.bb", { n: `${scored > 0 ? "+" : scored < 0 ? "−" : ""}${fixed(Math.abs(scored) / 1000, 2)}` });
  return Number.isInteger(scored) ? num(scored) : `${Math.floor(scored) || ""}½`;
}
