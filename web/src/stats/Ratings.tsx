import { useState } from "preact/hooks";
import { get } from "../api/http.ts";
import { day, num, t, tryT } from "../i18n/index.ts";
import { optionName } from "../lobby/describe.ts";
import { LineChart } from "../ui/chart/LineChart.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import type { Profile, Rating, RatingHistory } from "../api/wire.ts";

export const speedName = (speed: string): string => tryT(`speed.${speed}`, speed);

/** 'Blitz', or 'Blitz · Atomic'. */
export function boardName({ speed, variant }: Pick<Rating, "speed" | "variant">): string {
  return variant === "standard" ? speedName(speed) : `${speedName(speed)} · ${optionName("variant", variant)}`;
}

/** '1504 ± 61', with a question mark while it is still vague. */
export function ratingText({ rating, deviation, provisional }: Pick<Rating, "rating" | "deviation" | "provisional">): string {
  return `${Math.round(rating)}${provisional ? "?" : ""} ± ${Math.round(2 * deviation)}`;
}

/** Somebody's ratings, and the course of one of them. */
export function Ratings({ id, known }: { id: string; known?: readonly Rating[] }) {
  const loaded = useLoaded(async () => known ?? (await get<Profile>(`/people/${id}`)).ratings, [id]);
  const [at, setAt] = useState(0);
  if (!loaded?.length) return known || loaded ? <p class="panel empty">{t("ratings.unrated")}</p> : null;
  const chosen = loaded[Math.min(at, loaded.length - 1)];
  return (
    <section class="panel" aria-label={t("ratings.own")}>
      <h2>{t("ratings.own")}</h2>
      <p class="muted">{t("ratings.hint")}</p>
      <ul class="ratings" >
        {loaded.map((one, index) => (
          <li key={boardName(one)}>
            <button type="button" class="button" aria-pressed={one === chosen} onClick={() => setAt(index)}>
              <span>{boardName(one)}</span>
              <b>{ratingText(one)}</b>
              <small>{t("ratings.record", { wins: num(one.wins), draws: num(one.draws), losses: num(one.losses) })}</small>
            </button>
          </li>
        ))}
      </ul>
      {chosen && <RatingCourse key={boardName(chosen)} id={id} rating={chosen} />}
    </section>
  );
}

function RatingCourse({ id, rating }: { id: string; rating: Rating }) {
  const { game, variant, speed } = rating;
  const query = new URLSearchParams({ game, variant, speed });
  const course = useLoaded(() => get<RatingHistory>(`/people/${id}/rating?${query.toString()}`), []);
  if (!course?.history.length) return <p class="chart-room muted">{course === undefined ? t("loading") : ""}</p>;
  const { history } = course;
  return (
    <LineChart
      title={boardName(rating)}
      lines={[{ name: t("ratings.rating"), values: history.map((one) => Math.round(one.rating)), spread: history.map((one) => Math.round(2 * one.deviation)) }]}
      places={history.map((one) => t("ratings.against", { day: day(one.at), name: one.opponent_name, points: pointsText(one.points) }))}
      placeName={t("ratings.game")}
      format={String}
    />
  );
}

const pointsText = (points: number): string => (points === 0.5 ? "½" : String(points));
