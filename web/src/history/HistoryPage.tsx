import { get } from "../api/http.ts";
import type { RoundRecord } from "../api/types.ts";
import { me } from "../app/session.ts";
import { GamePages } from "../games/GamePages.tsx";
import { gameOf } from "../games/index.ts";
import { num, t, when } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { ownTables, TurnMark } from "../lobby/turns.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { Replay } from "./Replay.tsx";
import "../styles/table.css";
import "../styles/history.css";

/** What was played: tables, then their hands or games, then one of them step by step. */
export function HistoryPage({ code, round }: { code?: string; round?: number }) {
  if (!code) return <Tables />;
  return round ? <Replay code={code.toUpperCase()} round={round} /> : <Rounds code={code.toUpperCase()} />;
}

function Tables() {
  const id = me.value?.id;
  const tables = useLoaded(async () => (id ? ownTables() : []), [id]);
  return (
    <div class="page narrow">
      <h1>{t("history.title")}</h1>
      <section class="panel" aria-label={t("history.tables")}>
        {tables?.length ? (
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
        ) : (
          <p class="empty">{tables === undefined ? t("loading") : t("history.none")}</p>
        )}
      </section>
      <GamePages />
    </div>
  );
}

function Rounds({ code }: { code: string }) {
  const rounds = useLoaded(() => get<RoundRecord[]>(`/tables/${code}/history`), [code]);
  return (
    <div class="page narrow">
      <h1>{t("history.of", { code })}</h1>
      <a class="button small" href={`/t/${code}`}>
        {t("history.table")}
      </a>
      <section class="panel" aria-label={t("history.title")}>
        {rounds?.length ? (
          <ul class="table-list">
            {rounds.map((one) => (
              <li key={one.number}>
                <a href={`/history/${code}/${one.number}`}>
                  <span class="round-number">{num(one.number)}</span>
                  <span class="grow">
                    <b class="ellipsis">{Object.values(one.names).join(", ")}</b>
                    <small>{when(one.ended)}</small>
                  </span>
                  <Icon name="next" />
                </a>
              </li>
            ))}
          </ul>
        ) : (
          <p class="empty">{rounds === undefined ? t("loading") : t("history.noRounds")}</p>
        )}
      </section>
    </div>
  );
}
