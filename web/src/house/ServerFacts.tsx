import { get } from "../api/http.ts";
import type { GameInfo, TableInfo } from "../api/types.ts";
import { num, t, tryT } from "../i18n/index.ts";
import { useLoaded } from "../ui/useLoaded.ts";

/** The server's version, what it plays and how its own players do it, and how many tables are open to all. */
export function ServerFacts() {
  const version = useLoaded(serverVersion, []);
  const games = useLoaded(() => get<GameInfo[]>("/games"), []);
  const tables = useLoaded(() => get<TableInfo[]>("/tables"), []);
  return (
    <section class="panel" aria-labelledby="server">
      <h2 id="server">{t("house.server")}</h2>
      <dl class="facts">
        <dt>{t("house.version")}</dt>
        <dd>{version ?? "–"}</dd>
        <dt>{t("open.title")}</dt>
        <dd>{tables ? num(tables.length) : "–"}</dd>
      </dl>
      {games && (
        <>
          <h3>{t("house.games")}</h3>
          <dl class="facts">
            {games.map((game) => [
              <dt key={game.name}>{tryT(`game.${game.name}`, game.title)}</dt>,
              <dd key={`${game.name} styles`}>{stylesOf(game) || "–"}</dd>,
            ])}
          </dl>
        </>
      )}
    </section>
  );
}

/** The API's own document says which version serves it. */
async function serverVersion(): Promise<string> {
  const answer = await fetch("/openapi.json");
  return ((await answer.json()) as { info: { version: string } }).info.version;
}

function stylesOf(game: GameInfo): string {
  return (game.bots ?? []).map((style) => tryT(`style.${style}`, style)).join(", ");
}
