import { useState } from "preact/hooks";
import { get } from "../api/http.ts";
import type { Opponent, Part, Statistics, Sum } from "../api/wire.ts";
import { figuresOf } from "../games/figures.ts";
import { num, t, tryT } from "../i18n/index.ts";
import { optionName } from "../lobby/describe.ts";
import { Field } from "../ui/Field.tsx";
import { FilterSelect } from "../ui/FilterSelect.tsx";
import { Typed } from "../ui/Typed.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { figureText, signedNumber, tilesOf, tone } from "./figures.ts";
import { Course } from "./Course.tsx";
import { Tiles } from "./Tiles.tsx";
import "../styles/figures.css";

const FILTERS = ["variant", "format", "stakes", "position", "opponent", "since", "until"] as const;
type Filter = (typeof FILTERS)[number];
type Chosen = Partial<Record<Filter, string>>;

/** Everything that is counted of one game, as a whole and taken apart. */
export function GameStats({ game }: { game: string }) {
  const [chosen, setChosen] = useState<Chosen>({});
  const all = useLoaded(() => get<Statistics>(`/me/statistics/${game}`), []);
  const query = askedFor(chosen);
  const some = useLoaded(() => get<Statistics>(`/me/statistics/${game}?${query}`), [query]);
  const shown = query ? some : all;
  if (!shown || !all) {
    return (
      <p class="panel empty" role="status">
        {shown === null || all === null ? t("error.unknown") : t("loading")}
      </p>
    );
  }
  return (
    <>
      <Filters all={all} chosen={chosen} onChange={setChosen} />
      <section class="panel" aria-label={t("stats.figures")}>
        <h2>{t("stats.figures")}</h2>
        <p class="muted">{t("stats.tap")}</p>
        <Tiles tiles={tilesOf(game, shown.total)} />
      </section>
      <Course game={game} series={shown.series} />
      <div class="stats-columns">
        {shown.positions.length > 0 && <Parts title={tryT(`stats.positions.${game}`, "")} parts={shown.positions} game={game} name={positionName} />}
        {shown.opponents.length > 0 && <Opponents game={game} opponents={shown.opponents} />}
        {shown.variants.length > 1 && <Parts title={t("set.variant")} parts={shown.variants} game={game} name={(key) => optionName("variant", key)} />}
        {shown.stakes.length > 1 && figuresOf(game).chips && <Parts title={t("stats.stakes")} parts={shown.stakes} game={game} name={(key) => tryT(`stats.stakes.${key}`, key)} />}
      </div>
    </>
  );
}

/** Days are counted by the server in UTC. */
function askedFor({ since, until, ...rest }: Chosen): string {
  const query = new URLSearchParams(Object.entries(rest).filter(([, value]) => value));
  if (since) query.set("since", String(Date.parse(since)));
  if (until) query.set("until", String(Date.parse(until) + 86_399_999));
  return query.toString();
}

export function positionName(key: string): string {
  return tryT(`position.${key}`, key.replace(/(\d)$/, "+$1"));
}

function formatName(key: string): string {
  return tryT(`speed.${key}`, optionName("limit", key));
}

function Filters({ all, chosen, onChange }: { all: Statistics; chosen: Chosen; onChange(chosen: Chosen): void }) {
  // Of somebody's own rounds by place at the table nobody counts who else was there: one of the two at a time.
  const set = (name: Filter, value: string) => onChange({ ...chosen, ...(name === "position" ? { opponent: "" } : name === "opponent" ? { position: "" } : {}), [name]: value });
  const pick = (name: Filter, label: string, options: readonly (readonly [string, string])[], always = false) =>
    (always || options.length > 1) && <FilterSelect label={label} value={chosen[name]} options={options} onChange={(value) => set(name, value)} />;
  const day = (name: Filter, label: string) => (
    <Field label={label}>{(id) => <Typed id={id} type="date" value={chosen[name] ?? ""} onDone={(text) => set(name, text)} />}</Field>
  );
  const [open, setOpen] = useState(false);
  const active = FILTERS.filter((name) => chosen[name]).length;
  const keys = (parts: readonly Part[], name: (key: string) => string) => parts.map(({ key }) => [key, name(key)] as const);
  return (
    <details class="filters panel" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{active ? t("filter.active", { n: active }) : t("filter.title")}</summary>
      {open && (
        <div class="filter-fields">
          {pick("variant", t("set.variant"), keys(all.variants, (key) => optionName("variant", key)))}
          {pick("format", tryT(`stats.format.${all.game}`, ""), keys(all.formats, formatName))}
          {pick("stakes", t("stats.stakes"), keys(all.stakes, (key) => tryT(`stats.stakes.${key}`, key)))}
          {pick("position", tryT(`stats.positions.${all.game}`, ""), keys(all.positions, positionName))}
          {pick("opponent", t("stats.opponent"), all.opponents.map(({ id, name }) => [id, name] as const), all.opponents.length > 0)}
          {day("since", t("filter.from"))}
          {day("until", t("filter.to"))}
          {active > 0 && (
            <button type="button" class="button" onClick={() => onChange({})}>
              {t("filter.clear")}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Parts({ title, parts, game, name }: { title: string; parts: readonly Part[]; game: string; name(key: string): string }) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      <SumTable label={title} game={game} rows={parts.map((part) => ({ id: part.key, head: name(part.key), sum: part }))} />
    </section>
  );
}

function Opponents({ game, opponents }: { game: string; opponents: readonly Opponent[] }) {
  const title = t("stats.opponents");
  return (
    <section class="panel">
      <h2>{title}</h2>
      <p class="muted">{tryT(`stats.opponents.${game}`, "")}</p>
      <SumTable label={title} game={game} rows={opponents.map((one) => ({ id: one.id, head: one.name, href: `/people/${one.id}`, sum: one }))} />
    </section>
  );
}

interface Row {
  id: string;
  head: string;
  href?: string;
  sum: Sum;
}

function SumTable({ label, game, rows }: { label: string; game: string; rows: readonly Row[] }) {
  const { columns, chips } = figuresOf(game);
  const most = Math.max(1, ...rows.map(({ sum }) => Math.abs(sum.counts.net ?? 0)));
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={label}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col">{tryT(`stats.rounds.${game}`, t("stats.rounds"))}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {tryT(`stats.short.${name}`, tryT(`stats.${name}`, name))}
              </th>
            ))}
            {chips && <th scope="col">{t("stats.net")}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, head, href, sum }) => (
            <tr key={id}>
              <th scope="row">{href ? <a href={href}>{head}</a> : head}</th>
              <td>{num(sum.rounds)}</td>
              {columns.map((name) => (
                <td key={name}>{figureText(name, sum.figures[name] ?? { value: null }, 0)}</td>
              ))}
              {chips && (
                <td class={`with-bar ${tone(sum.counts.net)}`}>
                  <span class="share" style={{ "--share": Math.abs(sum.counts.net ?? 0) / most }} aria-hidden="true" />
                  {signedNumber(sum.counts.net ?? 0)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
