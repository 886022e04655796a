import { get } from "../api/http.ts";
import { go, search } from "../app/router.ts";
import { attempt, me, someone } from "../app/session.ts";
import { figuresOf } from "../games/figures.ts";
import { GAMES } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { useLoaded } from "../ui/useLoaded.ts";
import { GameStats } from "./GameStats.tsx";
import { Privacy } from "./Privacy.tsx";
import { Ratings } from "./Ratings.tsx";
import "../styles/figures.css";

/** One's own statistics: a page for each game. */
export function StatsPage() {
  const id = me.value?.id;
  if (!id) return <Stranger />;
  return <Own key={id} id={id} />;
}

function Own({ id }: { id: string }) {
  const counted = useLoaded(() => get<Record<string, Record<string, number>>>("/me/statistics"), []);
  const played = GAMES.map(({ name }) => name).filter((name) => Object.keys(counted?.[name] ?? {}).length);
  const wish = new URLSearchParams(search.value).get("game") ?? "";
  const game = played.includes(wish) ? wish : (played[0] ?? "");
  return (
    <div class="page">
      <h1>{t("stats.title")}</h1>
      {played.length > 1 && (
        <nav class="segments" aria-label={t("new.game")}>
          {played.map((name) => (
            <a key={name} class={name === game ? "segment on" : "segment"} aria-current={name === game ? "page" : undefined} href={`/stats?game=${name}`}>
              {gameTitle(name, {})}
            </a>
          ))}
        </nav>
      )}
      {game ? <GameStats key={game} game={game} /> : <p class="panel empty">{counted === undefined ? t("loading") : t("stats.none")}</p>}
      {game && !figuresOf(game).chips && <Ratings id={id} />}
      <div class="row wrap">
        <a class="button" href="/ratings">
          {t("ratings.title")}
        </a>
        <a class="button" href="/ladder">
          {t("ladder.title")}
        </a>
        <a class="button" href={`/people/${id}`}>
          {t("people.own")}
        </a>
        <button type="button" class="button" onClick={() => go(`/history?game=${game}`)} hidden={!game}>
          {t("stats.history")}
        </button>
      </div>
      {game && <Privacy />}
    </div>
  );
}

function Stranger() {
  return (
    <div class="page narrow">
      <h1>{t("stats.title")}</h1>
      <section class="panel">
        <p class="muted">{t("stats.none")}</p>
        <div class="row wrap">
          {me.value === null && (
            <button type="button" class="button primary" onClick={() => void attempt(someone)}>
              {t("name.title")}
            </button>
          )}
          <a class="button" href="/ratings">
            {t("ratings.title")}
          </a>
          <a class="button" href="/ladder">
            {t("ladder.title")}
          </a>
        </div>
      </section>
    </div>
  );
}
