import { get } from "../api/http.ts";
import type { RoundLine } from "../api/types.ts";
import { go, search } from "../app/router.ts";
import { me } from "../app/session.ts";
import { hasChips } from "../games/figures.ts";
import { GamePages } from "../games/GamePages.tsx";
import { gameOf } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { ownTables, TurnMark } from "../lobby/turns.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { Downloads } from "./Downloads.tsx";
import { FilterForm } from "./FilterForm.tsx";
import { askedFor, readFilters, writeFilters } from "./filters.ts";
import { MyRounds } from "./MyRounds.tsx";
import { OpenPage } from "./OpenPage.tsx";
import { Replay } from "./Replay.tsx";
import { RoundList, type RoundsPage } from "./RoundList.tsx";
import "../styles/table.css";
import "../styles/history.css";

/** What was played: one's own hands and games, tables, the rounds of a table, one of them step by step; and files of others. */
export function HistoryPage({ place, code, round }: { place: string; code?: string; round?: number }) {
  if (place === "replay") return <OpenPage />;
  if (!code) return <Overview />;
  return round ? <Replay code={code.toUpperCase()} round={round} /> : <TableRounds code={code.toUpperCase()} />;
}

function Overview() {
  const tables = new URLSearchParams(search.value).get("show") === "tables";
  const tab = (to: string, text: string, on: boolean) => (
    <a class={on ? "segment on" : "segment"} href={to} aria-current={on ? "page" : undefined}>
      {text}
    </a>
  );
  return (
    <div class="page narrow">
      <h1>{t("history.title")}</h1>
      <nav class="segments" aria-label={t("history.title")}>
        {tab("/history", t("history.rounds"), !tables)}
        {tab("/history?show=tables", t("history.tables"), tables)}
      </nav>
      <section class="panel" aria-label={t(tables ? "history.tables" : "history.rounds")}>
        {tables ? <Tables /> : <MyRounds />}
      </section>
      <nav class="row wrap" aria-label={t("replay.label")}>
        <a class="button" href="/replay">
          <Icon name="play" />
          {t("replay.title")}
        </a>
        <a class="button" href="/stats">
          <Icon name="engine" />
          {t("stats.title")}
        </a>
      </nav>
      <GamePages />
    </div>
  );
}

function Tables() {
  const id = me.value?.id;
  const tables = useLoaded(async () => (id ? ownTables() : []), [id]);
  if (!tables?.length) return <p class="empty">{tables === undefined ? t("loading") : t("history.none")}</p>;
  return (
    <ul class="table-list">
      {tables.map((table) => (
        <li key={table.code}>
          <a href={`/history/${table.code}`}>
            <span class={`game-mark ${table.game}`} aria-hidden="true">
              {gameOf(table.game).mark}
            </span>
            <span class="grow">
              <b class="ellipsis">{table.name || t("open.of", { name: table.host_name })}</b>
              <small>{`${gameTitle(table.game, table.settings)} · ${table.code}`}</small>
            </span>
            <TurnMark table={table} />
            <Icon name="next" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** So many rounds come at a time. */
const PAGE = 50;

function TableRounds({ code }: { code: string }) {
  const filters = readFilters(search.value);
  const query = askedFor(filters).toString();
  const game = useLoaded(async () => (await get<RoundLine[]>(`/tables/${code}/history?limit=1`))[0]?.game ?? "", [code]);
  const load = async (before: string | null): Promise<RoundsPage> => {
    const asked = new URLSearchParams(query);
    asked.set("limit", String(PAGE));
    if (before) asked.set("before", before);
    const rounds = await get<RoundLine[]>(`/tables/${code}/history?${asked.toString()}`);
    return { rounds, next: rounds.length < PAGE ? null : String(rounds.at(-1)?.number) };
  };
  return (
    <div class="page narrow">
      <h1>{t("history.of", { code })}</h1>
      <a class="button small lone" href={`/t/${code}`}>
        {t("history.table")}
      </a>
      <section class="panel" aria-label={t("history.title")}>
        <FilterForm filters={filters} game={game ?? ""} onChange={(chosen) => go(`/history/${code}${writeFilters(chosen)}`, true)} />
        <RoundList id={`${code} ${query}`} load={load} none={t(query ? "history.noMatch" : "history.noRounds")} />
        {game && (
          <Downloads path={`/tables/${code}/history`} query={query} games={[game]} title={t(query ? "files.chosen" : "files.table")}>
            {hasChips(game) && (
              <a class="button small" download href={`/api/v1/tables/${code}/ledger.csv`}>
                {t("files.ledger")}
              </a>
            )}
          </Downloads>
        )}
      </section>
    </div>
  );
}
