import { num, t } from "../i18n/index.ts";
import { half, meetings, type Meeting } from "./meetings.ts";
import type { TournamentView } from "./types.ts";
import { entryName } from "./words.ts";

/** Everybody in the order of the standings, with the place as their number. */
function ranked(view: TournamentView): number[] {
  const placed = view.standings.map(({ entry }) => entry);
  const more = view.entries.map(({ entry }) => entry).filter((entry) => !placed.includes(entry));
  return [...placed, ...more];
}

const pointsNow = (view: TournamentView, entry: number): string => half(view.standings.find((one) => one.entry === entry)?.points ?? 0);

function Cell({ meeting, children }: { meeting: Meeting; children: string }) {
  const look = meeting.points === null ? "" : meeting.points === 1 ? "won" : meeting.points === 0 ? "lost" : "drawn";
  if (!meeting.table || meeting.unplayed) return <span class={look}>{children}</span>;
  return (
    <a class={look} href={meeting.points === null ? `/t/${meeting.table}` : `/history/${meeting.table}/1`}>
      {children}
    </a>
  );
}

const score = ({ points, unplayed }: Meeting): string => (points === null ? "·" : unplayed ? (points === 1 ? "+" : points === 0 ? "−" : "½") : half(points));

interface GridProps {
  view: TournamentView;
  look: string;
  columns: readonly number[];
  /** The head of a column: what is read, and what it stands for. */
  head(column: number, at: number): readonly [short: string, long: string];
  /** Whether a meeting of the row's entry stands in this column. */
  belongs(meeting: Meeting, column: number): boolean;
  text(meeting: Meeting): string;
  /** Whether the row's entry is the column's. */
  isSelf?(entry: number, column: number): boolean;
}

/** A row for each entry, in the order of the standings. */
function Grid({ view, look, columns, head, belongs, text, isSelf }: GridProps) {
  const met = meetings(view.rounds);
  const own = view.you?.entry;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={t("tour.show.table")}>
      <table class={look}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t("tour.player")}</th>
            {columns.map((column, at) => {
              const [short, long] = head(column, at);
              return (
                <th key={column} scope="col">
                  <abbr title={long}>{short}</abbr>
                </th>
              );
            })}
            <th scope="col">{t("tour.points")}</th>
          </tr>
        </thead>
        <tbody>
          {ranked(view).map((entry, at) => (
            <tr key={entry} class={entry === own ? "own" : ""}>
              <td class="muted">{num(at + 1)}</td>
              <th scope="row">{entryName(view, entry)}</th>
              {columns.map((column) => (
                <td key={column} class={isSelf?.(entry, column) ? "self" : ""}>
                  {(met.get(entry) ?? [])
                    .filter((meeting) => belongs(meeting, column))
                    .map((meeting) => (
                      <Cell key={meeting.round} meeting={meeting}>
                        {text(meeting)}
                      </Cell>
                    ))}
                </td>
              ))}
              <td>
                <b>{pointsNow(view, entry)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Everybody against everybody: the row's points against the column's player. */
export function CrossTable({ view }: { view: TournamentView }) {
  return (
    <>
      <Grid
        view={view}
        look="cross-table"
        columns={ranked(view)}
        head={(entry, at) => [num(at + 1), entryName(view, entry)]}
        belongs={({ opponent }, entry) => opponent === entry}
        text={score}
        isSelf={(entry, other) => entry === other}
      />
      <p class="muted">{t("tour.crossTable.signs")}</p>
    </>
  );
}

/** A Swiss tournament by rounds: the opponent's place, the colour, the points. */
export function RoundTable({ view }: { view: TournamentView }) {
  const places = new Map(ranked(view).map((entry, at) => [entry, at + 1]));
  const told = (meeting: Meeting): string => {
    if (meeting.opponent === null) return score(meeting);
    const colour = meeting.colour ? t(meeting.colour === "white" ? "tour.white.short" : "tour.black.short") : "";
    return `${num(places.get(meeting.opponent) ?? 0)}${colour} ${score(meeting)}`;
  };
  return (
    <>
      <Grid
        view={view}
        look="cross-table by-round"
        columns={view.rounds.map(({ number }) => number)}
        head={(number) => [num(number), t("tour.round.n", { n: num(number) })]}
        belongs={({ round }, number) => round === number}
        text={told}
      />
      <p class="muted">{`${t("tour.crossTable.hint")} ${t("tour.crossTable.signs")}`}</p>
    </>
  );
}
