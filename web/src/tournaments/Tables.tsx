import { useState } from "preact/hooks";
import { chips, num, t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import type { TournamentTable, TournamentView } from "./types.ts";
import { entryName } from "./words.ts";

const FIRST = 8;

/** The tables that are played, each a link to watch it. */
export function Tables({ view }: { view: TournamentView }) {
  const [all, setAll] = useState(false);
  const open = view.tables.filter(({ status }) => status !== "closed");
  if (!open.length) return null;
  // One's own first.
  const sorted = open.toSorted((one, two) => Number(two.code === view.table) - Number(one.code === view.table) || one.number - two.number);
  const shown = all ? sorted : sorted.slice(0, FIRST);
  return (
    <section class="panel" aria-labelledby="tour-tables">
      <h2 id="tour-tables">{open.length > 1 ? `${t("tour.tables")} (${num(open.length)})` : t("tour.tables")}</h2>
      <ul class="table-list tour-tables">
        {shown.map((table) => (
          <li key={table.code}>
            <Table view={view} table={table} />
          </li>
        ))}
      </ul>
      {sorted.length > shown.length && (
        <button type="button" class="button lone" onClick={() => setAll(true)}>
          {t("tour.showMore", { n: num(sorted.length - shown.length) })}
        </button>
      )}
    </section>
  );
}

function Table({ view, table }: { view: TournamentView; table: TournamentTable }) {
  const stacks = table.seats.map((seat) => seat.chips ?? 0);
  const names = table.seats
    .toSorted((one, two) => (two.chips ?? 0) - (one.chips ?? 0))
    .map(({ entry }) => entryName(view, entry))
    .join(", ");
  return (
    <a href={`/t/${table.code}`}>
      <span class="table-number" aria-hidden="true">
        {num(table.number)}
      </span>
      <span class="grow">
        <b>
          {table.final ? t("tour.final") : t("tour.table.n", { n: num(table.number) })}
          {table.code === view.table && <em class="badge">{t("tour.yours")}</em>}
          {table.status === "paused" && <em class="badge quiet">{t("tour.paused")}</em>}
        </b>
        <small class="ellipsis">{names}</small>
        {stacks.length > 0 && <small class="ellipsis">{t("tour.stacks", { least: chips(Math.min(...stacks)), most: chips(Math.max(...stacks)) })}</small>}
      </span>
      <span class="tour-count">
        <b>{num(table.seats.length)}</b>
        <small>{t("tour.hand.n", { n: num(table.round) })}</small>
      </span>
      <Icon name="next" />
    </a>
  );
}
