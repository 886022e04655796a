import { get } from "../api/http.ts";
import { go, search } from "../app/router.ts";
import { me } from "../app/session.ts";
import { day, num, t } from "../i18n/index.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Field } from "../ui/Field.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { boardName, ratingText } from "./Ratings.tsx";
import type { Leaderboard } from "../api/wire.ts";
import "../styles/figures.css";

/** The best players of this server, one board for each speed and variant. */
export function RatingsPage() {
  const query = new URLSearchParams(search.value);
  const asked = new URLSearchParams({ variant: query.get("variant") ?? "standard", speed: query.get("speed") ?? "blitz" }).toString();
  const board = useLoaded(() => get<Leaderboard>(`/ratings?${asked}`), [asked]);
  return (
    <div class="page narrow">
      <h1>{t("ratings.title")}</h1>
      <p class="muted">{t("ratings.rule")}</p>
      {board && <Boards board={board} />}
      <section class="panel" aria-label={t("ratings.title")}>
        {board?.rows.length ? <Rows rows={board.rows} /> : <p class="empty">{board === undefined ? t("loading") : t("ratings.none")}</p>}
      </section>
      <a class="button lone" href="/ladder">
        {t("ladder.title")}
      </a>
    </div>
  );
}

function Boards({ board }: { board: Leaderboard }) {
  const key = (one: { speed: string; variant: string }) => `speed=${one.speed}&variant=${one.variant}`;
  const shown = board.boards.some((one) => key(one) === key(board)) ? board.boards : [{ speed: board.speed, variant: board.variant, players: 0 }, ...board.boards];
  return (
    <Field label={t("ratings.board")}>
      {(id) => (
        <select id={id} value={key(board)} onChange={(event) => go(`/ratings?${event.currentTarget.value}`, true)}>
          {shown.map((one) => (
            <option key={key(one)} value={key(one)}>
              {`${boardName(one)} (${num(one.players)})`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Rows({ rows }: { rows: Leaderboard["rows"] }) {
  return (
    <ol class="leaders">
      {rows.map((one) => (
        <li key={one.id} class={one.id === me.value?.id ? "mine" : ""}>
          <span class="place">{num(one.place)}</span>
          <Avatar person={one} size="small" />
          <span class="leader">
            <a class="ellipsis" href={`/people/${one.id}`}>
              {one.name}
            </a>
            <small class="muted">{`${t("ratings.record", { wins: num(one.wins), draws: num(one.draws), losses: num(one.losses) })} · ${day(one.last)}`}</small>
          </span>
          <b>{ratingText(one)}</b>
        </li>
      ))}
    </ol>
  );
}
