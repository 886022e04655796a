import { get } from "../api/http.ts";
import { hasPage } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { countTiles, tilesOf, type Tile } from "../stats/figures.ts";
import { Tiles } from "../stats/Tiles.tsx";
import type { Statistics as Counted } from "../api/wire.ts";
import { useLoaded } from "../ui/useLoaded.ts";

/** What this person has played, counted by the server from the finished rounds; more of it has a page of its own. */
export function Statistics() {
  const played = useLoaded(statistics, []);
  return (
    <section class="panel" aria-labelledby="statistics">
      <h2 id="statistics">{t("stats.title")}</h2>
      {played?.length ? (
        played.map(({ game, tiles }) => (
          <div key={game}>
            <h3>{gameTitle(game, {})}</h3>
            <Tiles tiles={tiles} />
          </div>
        ))
      ) : (
        <p class="empty">{played === undefined ? t("loading") : t("stats.none")}</p>
      )}
      <div class="row wrap">
        <a class="button" href="/stats">
          {t("stats.more")}
        </a>
        <a class="button" href="/ratings">
          {t("ratings.title")}
        </a>
      </div>
    </section>
  );
}

/** So many figures give an impression; the page of the statistics has them all. */
const FEW = 9;

async function statistics(): Promise<{ game: string; tiles: Tile[] }[]> {
  const counted = Object.entries(await get<Record<string, Record<string, number>>>("/me/statistics")).filter(([, counts]) => Object.keys(counts).length);
  return Promise.all(
    counted.map(async ([game, counts]) => {
      if (!hasPage(game)) return { game, tiles: countTiles(counts) };
      return { game, tiles: tilesOf(game, (await get<Counted>(`/me/statistics/${game}`)).total).slice(0, FEW) };
    }),
  );
}
