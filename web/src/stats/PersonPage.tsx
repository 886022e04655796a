import { get } from "../api/http.ts";
import { me } from "../app/session.ts";
import { figuresOf } from "../games/figures.ts";
import { t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { tilesOf } from "./figures.ts";
import { Ratings } from "./Ratings.tsx";
import { Tiles } from "./Tiles.tsx";
import type { Profile, Sum, PersonAndMe } from "../api/wire.ts";
import "../styles/figures.css";

/** What others may see of somebody: their ratings, and what they played with the reader. */
export function PersonPage({ id }: { id: string }) {
  const person = useLoaded(() => get<Profile>(`/people/${id}`), [id]);
  if (!person) {
    return (
      <div class="page narrow">
        <h1>{t("people.title")}</h1>
        <p role="status">{person === undefined ? t("loading") : t("people.unknown")}</p>
      </div>
    );
  }
  const mine = me.value?.id === id;
  return (
    <div class="page">
      <header class="person-head">
        <Avatar person={person} />
        <h1>{person.name}</h1>
        {person.bot && <em class="badge">{t("people.bot")}</em>}
      </header>
      <Ratings id={id} known={person.ratings} />
      {me.value && !mine && <HeadToHead id={id} name={person.name} />}
      <a class="button lone" href="/ratings">
        {t("ratings.title")}
      </a>
    </div>
  );
}

function HeadToHead({ id, name }: { id: string; name: string }) {
  const together = useLoaded(() => get<PersonAndMe>(`/people/${id}/against/me`), [id]);
  const games = Object.entries(together?.games ?? {}).filter(([, { mine }]) => mine.rounds);
  return (
    <section class="panel" aria-label={t("people.together", { name })}>
      <h2>{t("people.together", { name })}</h2>
      {games.length === 0 && <p class="empty">{together === undefined ? t("loading") : t("people.never")}</p>}
      {games.map(([game, { mine, theirs }]) => (
        <div key={game}>
          <h3>{gameTitle(game, {})}</h3>
          {figuresOf(game).chips ? <Pair game={game} mine={mine} theirs={theirs} name={name} /> : <Score mine={mine} name={name} />}
        </div>
      ))}
      {games.length > 0 && (
        <a class="button lone" href={`/history?${new URLSearchParams({ with: id }).toString()}`}>
          {t("people.rounds")}
        </a>
      )}
    </section>
  );
}

/** '7 : 3 ½', and the games behind it as a bar. */
function Score({ mine, name }: { mine: Sum; name: string }) {
  const { wins = 0, draws = 0, losses = 0 } = mine.counts;
  return (
    <div class="head-to-head">
      <p>
        <b>{`${half(wins + draws / 2)} : ${half(losses + draws / 2)}`}</b>{" "}
        <span class="muted">{t("people.score", { name, wins, draws, losses })}</span>
      </p>
      <div class="score-bar" aria-hidden="true">
        <span class="won" style={{ flexGrow: wins }} />
        <span class="drawn" style={{ flexGrow: draws }} />
        <span class="lost" style={{ flexGrow: losses }} />
      </div>
    </div>
  );
}

function half(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}

function Pair({ game, mine, theirs, name }: { game: string; mine: Sum; theirs: Sum | null; name: string }) {
  return (
    <div class="stats-columns">
      <div>
        <h4>{t("people.you")}</h4>
        <Tiles tiles={tilesOf(game, mine)} />
      </div>
      <div>
        <h4>{name}</h4>
        {theirs ? <Tiles tiles={tilesOf(game, theirs)} /> : <p class="muted">{t("people.private", { name })}</p>}
      </div>
    </div>
  );
}
