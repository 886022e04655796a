import { get } from "../api/http.ts";
import { roomOf } from "../games/index.ts";
import type { GameRoom, Tally } from "../games/game.ts";
import { t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { useLoaded } from "../ui/useLoaded.ts";

/** What this person has played, counted by the server from the finished rounds. */
export function Statistics() {
  const played = useLoaded(statistics, []);
  return (
    <section class="panel" aria-labelledby="statistics">
      <h2 id="statistics">{t("stats.title")}</h2>
      {played?.length ? (
        played.map(({ game, tally, room: { facts, Chart } }) => (
          <div key={game}>
            <h3>{gameTitle(game, {})}</h3>
            <dl class="facts tiles">
              {facts(tally).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {Chart && <Chart />}
          </div>
        ))
      ) : (
        <p class="empty">{played === undefined ? t("loading") : t("stats.none")}</p>
      )}
    </section>
  );
}

async function statistics(): Promise<{ game: string; tally: Tally; room: GameRoom }[]> {
  const games = Object.entries(await get<Record<string, Tally>>("/me/statistics")).filter(([, tally]) => Object.keys(tally).length);
  return Promise.all(games.map(async ([game, tally]) => ({ game, tally, room: await roomOf(game) })));
}
