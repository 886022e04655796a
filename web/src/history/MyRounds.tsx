import { get } from "../api/http.ts";
import { go, search } from "../app/router.ts";
import { me } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { ownTables } from "../lobby/turns.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { Downloads } from "./Downloads.tsx";
import { FilterForm } from "./FilterForm.tsx";
import { askedFor, readFilters, writeFilters } from "./filters.ts";
import { RoundList, type RoundsPage } from "./RoundList.tsx";

/** Everything that this person has played, narrowed down by what the address asks for. */
export function MyRounds() {
  const id = me.value?.id;
  const filters = readFilters(search.value);
  const tables = useLoaded(async () => (id ? ownTables() : []), [id]);
  const query = askedFor(filters).toString();
  const load = async (before: string | null): Promise<RoundsPage> => {
    if (!id) return { rounds: [], next: null };
    const asked = new URLSearchParams(query);
    if (before) asked.set("before", before);
    return get<RoundsPage>(`/me/rounds?${asked.toString()}`);
  };
  return (
    <>
      <FilterForm filters={filters} tables={tables ?? []} onChange={(chosen) => go(`/history${writeFilters(chosen)}`, true)} />
      {id !== undefined || me.value === null ? <RoundList id={`${id} ${query}`} load={load} none={t(query ? "history.noMatch" : "history.none")} /> : <p class="empty">{t("loading")}</p>}
      {id && <Downloads path="/me/rounds" query={query} games={filters.game ? [filters.game] : undefined} title={t(query ? "files.chosen" : "files.mine")} />}
    </>
  );
}
