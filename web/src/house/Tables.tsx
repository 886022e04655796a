import { useState } from "preact/hooks";
import type { LiveTable, Operations } from "../api/wire.operator.ts";
import { toast } from "../app/live.ts";
import { num, t, tryT } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { ago, span } from "./format.ts";
import { Question } from "./Question.tsx";
import { ask } from "./secret.ts";

/** The tables in memory, the newest first, so that none changes its place while somebody reaches for it. */
export function Tables({ now, again }: { now: Operations; again: () => Promise<void> }) {
  const tables = [...now.tables].sort((one, other) => other.created - one.created || (one.code < other.code ? -1 : 1));
  const [closing, setClosing] = useState<string | null>(null);
  const close = async () => {
    await ask("DELETE", `/tables/${closing}`);
    toast(t("house.table.closed", { code: closing ?? "" }));
    await again();
  };
  return (
    <section class="panel" aria-labelledby="tables">
      <div class="panel-head">
        <h2 id="tables">{t("house.tables")}</h2>
        <small class="muted">
          {t("house.tables.count", { live: num(now.live_tables), open: num(Math.max(now.live_tables, now.database?.open_tables ?? 0)) })}
        </small>
      </div>
      {tables.length ? (
        <ul class="desk-list">
          {tables.map((table) => (
            <li key={table.code}>
              <TableLine table={table} now={now.now} />
              <button type="button" class="button small" aria-label={t("house.table.close.of", { code: table.code })} onClick={() => setClosing(table.code)}>
                {t("house.table.close")}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p class="empty">{t("house.tables.none")}</p>
      )}
      {now.live_tables > now.tables.length && <p class="muted">{t("house.cut", { shown: num(now.tables.length), all: num(now.live_tables) })}</p>}
      {closing && (
        <Dialog title={t("house.table.close.of", { code: closing })} onClose={() => setClosing(null)}>
          <Question text={t("house.table.close.ask")} action={t("house.table.close")} onYes={close} onDone={() => setClosing(null)} />
        </Dialog>
      )}
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
