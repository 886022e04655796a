import { useState } from "preact/hooks";
import { get } from "../api/http.ts";
import { search } from "../app/router.ts";
import { GAMES } from "../games/index.ts";
import { clock, day, num, t, tryT } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { ratingText } from "../stats/Ratings.tsx";
import { LineChart } from "../ui/chart/LineChart.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { courseOf } from "./course.ts";
import { LastMatches } from "./LastMatches.tsx";
import type { LadderEntrant, LadderPage as Ladder } from "../api/wire.ts";
import "../styles/ladder.css";

/** The bots that play rated matches while nobody else plays: a table, their ratings over time, the last matches. */
export function LadderPage() {
  const wish = new URLSearchParams(search.value).get("game");
  const names = GAMES.map(({ name }) => name);
  const game = names.find((name) => name === wish) ?? names[0] ?? "";
  return (
    <div class="page">
      <h1>{t("ladder.title")}</h1>
      <p class="muted">{t("ladder.rule")}</p>
      <nav class="segments" aria-label={t("new.game")}>
        {names.map((name) => (
          <a key={name} class={name === game ? "segment on" : "segment"} aria-current={name === game ? "page" : undefined} href={`/ladder?game=${name}`}>
            {gameTitle(name, {})}
          </a>
        ))}
      </nav>
      <Board key={game} game={game} />
    </div>
  );
}

function Board({ game }: { game: string }) {
  const ladder = useLoaded(() => get<Ladder>(`/ladder?game=${game}`), []);
  const [wish, setWish] = useState("");
  if (!ladder) return <p class="panel empty">{ladder === undefined ? t("loading") : t("ladder.away")}</p>;
  const { entrants, state } = ladder;
  const chosen = entrants.find(({ id }) => id === wish) ?? entrants[0];
  return (
    <>
      <p class="muted" data-ladder={state}>
        {t(`ladder.${state}`)}
      </p>
      {chosen && (
        <div class="ladder-columns">
          <section class="panel" aria-label={t("ladder.title")}>
            <Standings entrants={entrants} chosen={chosen} choose={setWish} />
            <p class="muted">{t("ladder.hint")}</p>
          </section>
          <section class="panel" aria-label={t("ladder.course")}>
            <RatingCourse entrants={entrants} chosen={chosen} />
          </section>
        </div>
      )}
      <LastMatches game={game} />
    </>
  );
}

/** What an entrant is called: its own name, or the way in which the house plays. */
export function entrantName({ name, style }: { name: string; style: string | null }): string {
  return style === null ? name : tryT(`style.${style}`, style);
}

function Standings({ entrants, chosen, choose }: { entrants: readonly LadderEntrant[]; chosen: LadderEntrant; choose(id: string): void }) {
  return (
    <table class="figures ladder">
      <thead>
        <tr>
          <th scope="col">{t("ladder.bot")}</th>
          <th scope="col">{t("ratings.rating")}</th>
          <th scope="col" class="matches">
            {t("ladder.matches")}
          </th>
          <th scope="col" aria-label={t("ladder.record")}>
            {t("ladder.short")}
          </th>
        </tr>
      </thead>
      <tbody>
        {entrants.map((one, index) => (
          <tr key={one.id}>
            <th scope="row">
              <button type="button" class="explain" aria-pressed={one === chosen} onClick={() => choose(one.id)}>
                {one.matches ? `${num(index + 1)}. ${entrantName(one)}` : entrantName(one)}
              </button>
              <small>{t(one.style !== null ? "ladder.house" : one.online ? "ladder.guest" : "ladder.gone")}</small>
            </th>
            <td>{one.matches ? ratingText(one) : "–"}</td>
            <td class="matches">{num(one.matches)}</td>
            <td>{`${num(one.wins)} / ${num(one.draws)} / ${num(one.losses)}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RatingCourse({ entrants, chosen }: { entrants: readonly LadderEntrant[]; chosen: LadderEntrant }) {
  if (!chosen.history.length) return <p class="empty">{t("ladder.unrated")}</p>;
  const { places, rating, spread, others } = courseOf(entrants, chosen);
  const today = day(Date.now());
  return (
    <LineChart
      title={entrantName(chosen)}
      lines={[{ name: t("ratings.rating"), values: rating, spread }]}
      backdrop={others.map(({ from, rating: values }) => ({ from, values }))}
      places={places.map((at) => (day(at) === today ? clock(at) : day(at)))}
      placeName={t("ladder.match")}
      format={String}
    />
  );
}
