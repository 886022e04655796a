import type { LiveTable, Operations } from "../api/wire.operator.ts";
import { num, t, tryT } from "../i18n/index.ts";
import { Closable } from "./Closable.tsx";
import { ago, span } from "./format.ts";

/** The tables in memory, the newest first, so that none changes its place while somebody reaches for it. */
export function Tables({ now, again }: { now: Operations; again: () => Promise<void> }) {
  const tables = [...now.tables].sort((one, other) => other.created - one.created || (one.code < other.code ? -1 : 1));
  return (
    <section class="panel" aria-labelledby="tables">
      <div class="panel-head">
        <h2 id="tables">{t("house.tables")}</h2>
        <small class="muted">
          {t("house.tables.count", { live: num(now.live_tables), open: num(Math.max(now.live_tables, now.database?.open_tables ?? 0)) })}
        </small>
      </div>
      <Closable kind="table" items={tables} line={(table) => <TableLine table={table} now={now.now} />} again={again} />
      {now.live_tables > now.tables.length && <p class="muted">{t("house.cut", { shown: num(now.tables.length), all: num(now.live_tables) })}</p>}
    </section>
  );
}

function TableLine({ table, now }: { table: LiveTable; now: number }) {
  const facts = [
    t("house.table.people", { people: num(table.people), connected: num(table.connected) }),
    table.bots > 0 && t("house.table.bots", { count: num(table.bots) }),
    table.spectators > 0 && t("house.table.spectators", { count: num(table.spectators) }),
    table.round > 0 && t("house.table.round", { number: num(table.round) }),
    t("house.table.events", { count: num(table.events) }),
    t("house.table.age", { span: span(now - table.created) }),
    t("house.table.used", { ago: ago(now - table.updated) }),
  ].filter(Boolean);
  return (
    <div class="desk-item">
      <p class="desk-name">
        <a class="desk-code" href={`/t/${table.code}`}>
          {table.code}
        </a>
        <span>{tryT(`game.${table.game}`, table.game)}</span>
        {table.name && <span class="muted">{table.name}</span>}
        <em class={table.status === "playing" && !table.paused ? "badge" : "badge plain"}>
          {table.paused ? t("house.status.paused") : tryT(`house.status.${table.status}`, table.status)}
        </em>
        {table.private && <em class="badge plain">{t("house.private")}</em>}
      </p>
      <p class="muted desk-facts">{facts.join(" · ")}</p>
    </div>
  );
}
