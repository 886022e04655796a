import { useState } from "preact/hooks";
import { get } from "../api/http.ts";
import type { RoundLine } from "../api/types.ts";
import { RoundList, type RoundsPage } from "../history/RoundList.tsx";
import { num, t } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";
import type { TournamentStore } from "./store.ts";
import { Standings } from "./Standings.tsx";
import type { TournamentView } from "./types.ts";
import { entryName, isPaired } from "./words.ts";
import "../styles/table.css";
import "../styles/history.css";

const PAGE = 50;

/** What was played: the hands or games of each table, to look at again. */
export function Record({ view }: { tournament: TournamentStore; view: TournamentView }) {
  const tables = isPaired(view) ? games(view) : view.tables.map(({ code, number, round, final }) => ({ code, text: `${final ? t("tour.final") : t("tour.table.n", { n: num(number) })} · ${t("tour.handsPlayed", { n: num(round) })}` }));
  const [chosen, setChosen] = useState("");
  const code = chosen || (tables.at(-1)?.code ?? "");
  const load = async (before: string | null): Promise<RoundsPage> => {
    const asked = new URLSearchParams({ limit: String(PAGE), ...(before && { before }) });
    const rounds = await get<RoundLine[]>(`/tables/${code}/history?${asked.toString()}`);
    return { rounds, next: rounds.length < PAGE ? null : String(rounds.at(-1)?.number) };
  };
  return (
    <>
      <nav class="row wrap" aria-label={t("tour.more")}>
        <a class="button" href={`/tournament/${view.code}`}>
          {t("tour.back")}
        </a>
      </nav>
      <div class="tour-columns">
        <section class="panel" aria-labelledby="tour-record">
          <h2 id="tour-record">{t("tour.record")}</h2>
          {tables.length > 0 && (
            <>
              <Field label={t(isPaired(view) ? "tour.record.game" : "tour.record.table")}>
                {(id) => (
                  <select id={id} value={code} onChange={(event) => setChosen(event.currentTarget.value)}>
                    {tables.map((one) => (
                      <option key={one.code} value={one.code}>
                        {one.text}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <RoundList id={code} load={load} none={t("history.noRounds")} />
              <a class="button lone" href={`/history/${code}`}>
                {t("tour.record.whole")}
              </a>
            </>
          )}
          {!tables.length && <p class="empty">{t("history.noRounds")}</p>}
        </section>
        <Standings view={view} />
      </div>
    </>
  );
}

/** The games of a chess tournament by round: each has a table of its own. */
function games(view: TournamentView): { code: string; text: string }[] {
  return view.rounds.flatMap(({ number, pairings }) =>
    pairings.flatMap(({ table, white, black }) => (table ? [{ code: table, text: `${t("tour.round.n", { n: num(number) })}: ${entryName(view, white)} – ${entryName(view, black)}` }] : [])),
  );
}
