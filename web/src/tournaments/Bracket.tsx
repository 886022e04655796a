import { num, t } from "../i18n/index.ts";
import { bracket, type Match } from "./knockout.ts";
import { half } from "./meetings.ts";
import type { TournamentView } from "./types.ts";
import { entryName } from "./words.ts";
import "../styles/bracket.css";

/** A knock-out as a tree, from the first round on the left to the final on the right. */
export function Bracket({ view }: { view: TournamentView }) {
  const champion = view.status === "finished" ? (view.standings.find(({ place }) => place === 1)?.entry ?? null) : null;
  const columns = bracket(view.rounds, champion);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={t("tour.show.bracket")}>
      <ol class="bracket">
        {columns.map((matches, at) => (
          <li key={at} class="bracket-round">
            <h3>{roundName(columns.length - at, at + 1)}</h3>
            <ol>
              {matches.map((match, place) => (
                <li key={place}>
                  <One view={view} match={match} />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** By how many rounds are left: the last is the final. */
function roundName(left: number, number: number): string {
  if (left === 1) return t("tour.ko.final");
  if (left === 2) return t("tour.ko.semi");
  if (left === 3) return t("tour.ko.quarter");
  return t("tour.round.n", { n: num(number) });
}

function One({ view, match }: { view: TournamentView; match: Match }) {
  const { sides, score, winner, bye, games } = match;
  const own = view.you?.entry ?? null;
  const last = games.at(-1);
  const href = last?.table ? (last.result === null ? `/t/${last.table}` : `/history/${last.table}/1`) : undefined;
  const side = (at: 0 | 1) => {
    const entry = sides[at];
    const name = entry === null ? (bye ? t("tour.bye") : "–") : entryName(view, entry);
    return (
      <span class={["match-side", winner !== null && winner === entry ? "won" : winner !== null ? "lost" : "", own !== null && entry === own ? "own" : ""].join(" ")}>
        <span class="ellipsis">{name}</span>
        {games.length > 0 && !bye && <b>{half(score[at])}</b>}
      </span>
    );
  };
  const content = (
    <>
      {side(0)}
      {side(1)}
    </>
  );
  return href ? (
    <a class="match" href={href}>
      {content}
    </a>
  ) : (
    <span class="match">{content}</span>
  );
}
