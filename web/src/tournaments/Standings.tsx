import { useState } from "preact/hooks";
import { fixed, num, t, tryT } from "../i18n/index.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { useWide } from "../ui/useWide.ts";
import type { EntryView, Standing, TournamentView } from "./types.ts";
import { half } from "./meetings.ts";
import { entryOf, isPaired } from "./words.ts";
import "../styles/figures.css";

/** So many rows at first, on a wide screen and on a phone; with them always one's own. */
const FIRST = 15;
const FEW = 9;
const MORE = 100;

/** Who is in it, best first; before the start in the order they came. */
export function Standings({ view }: { view: TournamentView }) {
  const wide = useWide();
  const [more, setMore] = useState(0);
  const shown = (wide ? FIRST : FEW) + more;
  const [wanted, setWanted] = useState("");
  const own = view.you?.entry ?? null;
  const rows = rowsOf(view);
  const found = wanted ? rows.filter(({ entry }) => entry.player.name.toLowerCase().includes(wanted.toLowerCase())) : rows;
  const seen = found.slice(0, shown);
  const mine = seen.some(({ entry }) => entry.entry === own) ? undefined : found.find(({ entry }) => entry.entry === own);
  const title = t(view.status === "registering" ? "tour.entered" : "tour.standings");
  return (
    <section class="panel" aria-labelledby="tour-standings">
      <h2 id="tour-standings">{rows.length ? `${title} (${num(rows.length)})` : title}</h2>
      {rows.length > FIRST && (
        <input type="search" aria-label={t("tour.find")} placeholder={t("tour.find")} value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      )}
      {rows.length ? (
        <div class="scroll-x" tabIndex={0} role="region" aria-label={title}>
          <Table view={view} rows={mine ? [...seen, mine] : seen} own={own} />
        </div>
      ) : (
        <p class="empty">{t("tour.nobody")}</p>
      )}
      <Legend view={view} />
      {found.length > shown && (
        <button type="button" class="button lone" onClick={() => setMore(more + MORE)}>
          {t("tour.showMore", { n: num(found.length - shown) })}
        </button>
      )}
    </section>
  );
}

interface Row {
  entry: EntryView;
  standing: Standing | undefined;
}

function rowsOf(view: TournamentView): Row[] {
  const placed = new Set(view.standings.map(({ entry }) => entry));
  const first = view.standings.flatMap((standing) => {
    const entry = entryOf(view, standing.entry);
    return entry ? [{ entry, standing }] : [];
  });
  // Whoever left before the start has no place; a late entry gets one with its first seat.
  const gone = ({ status }: EntryView) => status === "withdrawn" || status === "removed";
  return [...first, ...view.entries.filter((entry) => !placed.has(entry.entry) && !gone(entry)).map((entry) => ({ entry, standing: undefined }))];
}

/** What decides between equal points, in that order, as the standings have it. */
function breaksOf(view: TournamentView): string[] {
  return view.status !== "registering" && isPaired(view) ? Object.keys(view.standings[0]?.tiebreaks ?? {}) : [];
}

/** What the short heads of the columns stand for: on a phone nothing hovers. */
function Legend({ view }: { view: TournamentView }) {
  const breaks = breaksOf(view);
  if (!breaks.length) return null;
  return <p class="muted">{breaks.map((name) => t("tour.legend", { short: tryT(`tour.short.${name}`, name), long: tryT(`tour.tiebreak.${name}`, name) })).join(" · ")}</p>;
}

function Table({ view, rows, own }: { view: TournamentView; rows: readonly Row[]; own: number | null }) {
  const running = view.status !== "registering";
  const paired = isPaired(view);
  const breaks = breaksOf(view);
  const bounties = view.standings.some(({ bounty }) => bounty);
  const prizes = view.standings.some(({ prize }) => prize);
  const most = Math.max(1, ...rows.map(({ entry }) => entry.chips ?? 0));
  return (
    <table class="figures standings">
      <thead>
        <tr>
          <th scope="col">{running ? t("tour.place") : t("tour.number")}</th>
          <th scope="col">{t("tour.player")}</th>
          {running && <th scope="col">{t(paired ? "tour.points" : "tour.chips")}</th>}
          {breaks.map((name) => (
            <th key={name} scope="col" title={tryT(`tour.tiebreak.${name}`, name)}>
              <abbr title={tryT(`tour.tiebreak.${name}`, name)}>{tryT(`tour.short.${name}`, name)}</abbr>
            </th>
          ))}
          {bounties && <th scope="col">{t("tour.bounties")}</th>}
          {prizes && <th scope="col">{t("tour.prize")}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ entry, standing }, at) => (
          <tr key={entry.entry} class={[entry.entry === own ? "own" : "", entry.status === "out" || entry.status === "removed" || entry.status === "withdrawn" ? "out" : ""].join(" ")}>
            <td class="place">{standing ? placeText(standing, view.status === "finished" || entry.status === "out") : running ? "" : num(at + 1)}</td>
            <th scope="row">
              <Player view={view} entry={entry} />
            </th>
            {running && paired && <td class="points">{half(standing?.points ?? entry.points ?? 0)}</td>}
            {running && !paired && (
              <td class="with-bar">
                {entry.status === "playing" && <span class="share" style={{ "--share": (entry.chips ?? 0) / most }} aria-hidden="true" />}
                {stackOf(entry, standing)}
              </td>
            )}
            {breaks.map((name) => (
              <td key={name}>{tieText(standing?.tiebreaks[name])}</td>
            ))}
            {bounties && <td>{standing?.bounty ? num(standing.bounty) : ""}</td>}
            {prizes && <td class="prize">{standing?.prize ? num(standing.prize) : ""}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Those who are level share a place for good only when they are out. */
const placeText = ({ place, place_to }: Standing, settled: boolean): string => (settled && place_to > place ? `${num(place)}–${num(place_to)}` : num(place));

function stackOf(entry: EntryView, standing: Standing | undefined): string {
  const chips = entry.chips ?? standing?.chips ?? null;
  return entry.status === "out" || chips === null ? "" : num(chips);
}

const tieText = (value: number | undefined): string => (value === undefined ? "" : Number.isInteger(value * 2) ? half(value) : fixed(value, 2));

/** A face and a name that lead to the person, and what is special about their entry. */
export function Player({ view, entry }: { view: TournamentView; entry: EntryView }) {
  const { player, status, reentries, rebuys, late, table } = entry;
  const notes = [
    late && t("tour.note.late"),
    reentries > 0 && t("tour.note.reentries", { n: num(reentries) }),
    rebuys > 0 && t("tour.note.rebuys", { n: num(rebuys) }),
    status === "withdrawn" && t("tour.note.withdrawn"),
    status === "removed" && t("tour.note.removed"),
  ].filter(Boolean);
  const watch = status === "playing" && table && view.status !== "finished";
  return (
    <span class="tour-player">
      <Avatar person={player} size="small" />
      <span class="grow">
        <a class="ellipsis" href={watch ? `/t/${table}` : `/people/${player.id}`}>
          {player.name}
        </a>
        {notes.length > 0 && <small class="muted">{notes.join(" · ")}</small>}
      </span>
    </span>
  );
}
