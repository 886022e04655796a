import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http.ts";
import type { OwnTable } from "../api/types.ts";
import type { Profile } from "../api/wire.ts";
import { hasChips } from "../games/figures.ts";
import { GAMES } from "../games/index.ts";
import { loadOffered, offeredGame } from "../games/offered.ts";
import { t, tryT } from "../i18n/index.ts";
import { gameTitle, optionName } from "../lobby/describe.ts";
import { Field, Switch } from "../ui/Field.tsx";
import { FilterSelect } from "../ui/FilterSelect.tsx";
import { Typed } from "../ui/Typed.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { FILTERS, type Filter, type Filters } from "./filters.ts";
import "../styles/figures.css";

/** What may be somebody's id. */
const ID = /^[\w-]{12}$/;

interface Props {
  filters: Filters;
  onChange(filters: Filters): void;
  /** The game whose rounds are listed, where there is only one. */
  game?: string | undefined;
  tables?: readonly OwnTable[];
}

/** What a list of rounds is narrowed down to. Text is taken when one is done with typing it, everything else at once. */
export function FilterForm({ filters, onChange, game, tables }: Props) {
  useEffect(() => void loadOffered().catch(() => undefined), []);
  const active = FILTERS.filter((name) => filters[name]);
  const [open, setOpen] = useState(active.length > 0);
  const set = (name: Filter, value: string) => onChange({ ...filters, ...(name === "game" ? { variant: "" } : {}), [name]: value });
  const chosen = game ?? filters.game ?? "";
  const held = (name: Filter) => ({ value: filters[name] ?? "", onDone: (text: string) => set(name, text) });
  // A link from somebody's page names them by their id; people read names.
  const wanted = filters.with ?? "";
  const person = useLoaded(async () => (ID.test(wanted) ? get<Profile>(`/people/${wanted}`) : null), [wanted]);
  const picked = (name: Filter, label: string, options: readonly (readonly [string, string])[]) => (
    <FilterSelect label={label} value={filters[name]} options={options} onChange={(value) => set(name, value)} />
  );
  return (
    <details class="filters" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{active.length ? t("filter.active", { n: active.length }) : t("filter.title")}</summary>
      {open && (
        <form class="filter-fields" role="search" onSubmit={(event) => event.preventDefault()}>
          {!game && picked("game", t("new.game"), GAMES.map(({ name }) => [name, gameTitle(name, {})]))}
          {chosen && picked("variant", t("set.variant"), variantsOf(chosen).map((variant) => [variant, optionName("variant", variant)]))}
          {picked("result", t("filter.result"), (["won", "lost", "even"] as const).map((result) => [result, tryT(`filter.${result}.${chosen}`, t(`filter.${result}`))]))}
          <Field label={t("filter.with")}>{(id) => <Typed id={id} type="search" maxLength={40} {...held("with")} value={person?.name ?? wanted} />}</Field>
          {hasChips(chosen) && <Field label={t("filter.pot")}>{(id) => <Typed id={id} type="number" min={1} {...held("pot")} />}</Field>}
          {tables && tables.length > 0 && picked("table", t("filter.table"), tables.map(({ code, name, host_name: host }) => [code, `${name || t("open.of", { name: host })} (${code})`]))}
          <Field label={t("filter.from")}>{(id) => <Typed id={id} type="date" {...held("from")} />}</Field>
          <Field label={t("filter.to")}>{(id) => <Typed id={id} type="date" {...held("to")} />}</Field>
          {hasChips(chosen) && <Switch label={t("filter.showdown")} checked={filters.showdown === "1"} onChange={(on) => set("showdown", on ? "1" : "")} />}
          {active.length > 0 && (
            <button type="button" class="button" onClick={() => onChange({})}>
              {t("filter.clear")}
            </button>
          )}
        </form>
      )}
    </details>
  );
}

function variantsOf(game: string): string[] {
  const schema = offeredGame(game)?.settings.properties?.variant;
  return (schema?.enum ?? []).map(String);
}
