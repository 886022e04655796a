import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http.ts";
import type { Server, TableInfo } from "../api/types.ts";
import { turnMark } from "../app/title.ts";
import { gameOf } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { opening } from "./create.ts";
import { gameTitle } from "./describe.ts";
import { ownTables, TurnMark } from "./turns.tsx";

/** Tables where this person has a seat, those that wait for them first. */
export function Resume({ id }: { id: string | undefined }) {
  const round = useRefresh(true);
  const tables = useLoaded(async () => (id ? ownTables() : []), [id, round]);
  const mine = tables?.filter((table) => table.your_turn).length ?? 0;
  useEffect(() => {
    if (!mine) return;
    turnMark.value = t("turn.count", { n: mine });
    return () => void (turnMark.value = "");
  }, [mine]);
  if (!tables?.length) return null;
  return (
    <section class="panel accent" aria-labelledby="resume">
      <h2 id="resume">{t("resume.title")}</h2>
      <TableList tables={tables} mark={(table) => <TurnMark table={table} />} />
    </section>
  );
}

const REFRESH = 10_000;

/** Counts up while lists are to be fetched anew; in a tab that is not seen only where its title tells something. */
function useRefresh(hidden = false): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => (hidden || !document.hidden) && !opening.value && setRound((count) => count + 1), REFRESH);
    return () => clearInterval(timer);
  }, []);
  return round;
}

export function OpenTables() {
  const round = useRefresh();
  const tables = useLoaded(() => get<TableInfo[]>("/tables"), [round]);
  return (
    <section class="panel" aria-labelledby="open-tables">
      <h2 id="open-tables">{t("open.title")}</h2>
      {tables?.length ? <TableList tables={tables} /> : <p class="empty">{tables === undefined ? t("loading") : t("open.none")}</p>}
    </section>
  );
}

function TableList<T extends TableInfo>({ tables, mark }: { tables: readonly T[]; mark?: (table: T) => ComponentChildren }) {
  return (
    <ul class="table-list">
      {tables.map((table) => (
        <li key={table.code}>
          <a href={`/t/${table.code}`}>
            <span class={`game-mark ${table.game}`} aria-hidden="true">
              {gameOf(table.game).mark}
            </span>
            <span class="grow">
              <b class="ellipsis">{table.name || t("open.of", { name: table.host_name })}</b>
              <small>{[gameTitle(table.game, table.settings), gameOf(table.game).stakes(table.settings), places(table)].filter(Boolean).join(" · ")}</small>
            </span>
            {mark?.(table)}
            <Icon name="next" />
          </a>
        </li>
      ))}
    </ul>
  );
}

function places(table: TableInfo): string {
  return t("open.seats", { taken: table.players, seats: table.seats });
}

/** Other parlours that the server hears of on the local network. */
export function LanServers() {
  const servers = useLoaded(() => get<Server[]>("/servers"), []);
  if (!servers?.length) return null;
  return (
    <section class="panel" aria-labelledby="lan">
      <h2 id="lan">{t("lan.title")}</h2>
      <ul class="table-list">
        {servers.map((server) => (
          <li key={server.url}>
            <a href={server.url}>
              <span class="grow">
                <b class="ellipsis">{server.name}</b>
                <small>{server.url}</small>
              </span>
              <Icon name="next" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
