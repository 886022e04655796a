import { useState } from "preact/hooks";
import { num, t } from "../i18n/index.ts";
import { Choice } from "../ui/Field.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Bracket } from "./Bracket.tsx";
import { CrossTable, RoundTable } from "./CrossTable.tsx";
import { half, pointsOf } from "./meetings.ts";
import type { TournamentStore } from "./store.ts";
import type { Pairing, TournamentView } from "./types.ts";
import { entryOf } from "./words.ts";

type Show = "pairings" | "table" | "bracket";

const FIRST = 12;

/** The rounds of a chess tournament: who plays whom, and everything so far as a table or a tree. */
export function Rounds({ view }: { tournament: TournamentStore; view: TournamentView }) {
  const [chosen, setChosen] = useState<Show | null>(null);
  const [round, setRound] = useState<number | null>(null);
  const shows: Show[] = view.format === "knockout" ? ["bracket", "pairings"] : view.format === "arena" ? ["pairings"] : ["pairings", "table"];
  const show = chosen ?? shows[0] ?? "pairings";
  const at = Math.min(round ?? view.rounds.length, view.rounds.length);
  return (
    <section class="panel tour-choice" aria-labelledby="tour-rounds">
      <h2 id="tour-rounds">{view.format === "arena" ? t("tour.games") : t("tour.rounds")}</h2>
      {shows.length > 1 && <Choice<Show> label={t("tour.show")} value={show} options={shows.map((one) => [one, t(`tour.show.${one}`)] as const)} onChange={setChosen} />}
      {show === "bracket" && <Bracket view={view} />}
      {show === "table" && (view.format === "round_robin" ? <CrossTable view={view} /> : <RoundTable view={view} />)}
      {show === "pairings" && (
        <>
          {view.format !== "arena" && view.rounds.length > 1 && <Stepper at={at} last={view.rounds.length} planned={view.rounds_planned} onRound={(next) => setRound(next === view.rounds.length ? null : next)} />}
          <Pairings key={at} view={view} round={at} />
        </>
      )}
    </section>
  );
}

/** `last` is the last round that is paired, `planned` the number of all. */
function Stepper({ at, last, planned, onRound }: { at: number; last: number; planned: number | null; onRound(round: number): void }) {
  return (
    <div class="row tour-stepper">
      <button type="button" class="icon-button" aria-label={t("tour.round.before")} disabled={at <= 1} onClick={() => onRound(at - 1)}>
        <Icon name="prev" />
      </button>
      <b class="grow">{planned === null ? t("tour.round.n", { n: num(at) }) : t("tour.round.of", { n: num(at), all: num(planned) })}</b>
      <button type="button" class="icon-button" aria-label={t("tour.round.after")} disabled={at >= last} onClick={() => onRound(at + 1)}>
        <Icon name="next" />
      </button>
    </div>
  );
}

/** The boards of one round; in an arena every game, the newest first. One's own stands on top. */
function Pairings({ view, round }: { view: TournamentView; round: number }) {
  const [all, setAll] = useState(false);
  const own = view.you?.entry ?? null;
  const arena = view.format === "arena";
  const pairings = arena ? view.rounds.flatMap((one) => one.pairings).toReversed() : (view.rounds[round - 1]?.pairings ?? []);
  const mine = ({ white, black }: Pairing) => own !== null && (white === own || black === own);
  const open = ({ result }: Pairing) => result === null;
  const sorted = arena ? pairings.toSorted((one, two) => Number(open(two)) - Number(open(one))) : pairings.toSorted((one, two) => Number(mine(two)) - Number(mine(one)) || one.board - two.board);
  const shown = all ? sorted : sorted.slice(0, FIRST);
  return (
    <>
      <ol class="pairings">
        {shown.map((pairing) => (
          <li key={`${pairing.board} ${pairing.table} ${pairing.white} ${pairing.black}`} class={mine(pairing) ? "own" : ""}>
            <Game view={view} pairing={pairing} />
          </li>
        ))}
      </ol>
      {sorted.length > shown.length && (
        <button type="button" class="button lone" onClick={() => setAll(true)}>
          {t("tour.showMore", { n: num(sorted.length - shown.length) })}
        </button>
      )}
    </>
  );
}

function Game({ view, pairing }: { view: TournamentView; pairing: Pairing }) {
  const { white, black, table, result, board } = pairing;
  const points = pointsOf(pairing);
  const alone = white === null || black === null;
  const content = (
    <>
      <span class="board-number muted">{alone || view.format === "arena" ? "" : num(board)}</span>
      <Side view={view} entry={alone ? (white ?? black) : white} colour={alone ? null : "white"} points={points?.[0]} />
      <span class="result">{resultText(pairing)}</span>
      {alone ? <span class="muted">{t(result === "half-bye" ? "tour.halfBye" : "tour.bye")}</span> : <Side view={view} entry={black} colour="black" points={points?.[1]} />}
    </>
  );
  // A game that is over is looked at in the record; one that is played, at its table.
  if (!table || alone) return <span class="pairing">{content}</span>;
  return (
    <a class="pairing" href={result === null ? `/t/${table}` : `/history/${table}/1`}>
      {content}
    </a>
  );
}

function Side({ view, entry, colour, points }: { view: TournamentView; entry: number | null; colour: "white" | "black" | null; points: number | undefined }) {
  const found = entryOf(view, entry);
  const before = view.format === "arena" ? "" : half(view.standings.find((one) => one.entry === entry)?.points ?? 0);
  return (
    <span class={points === 1 ? "side won" : "side"}>
      {colour && <span class={`disc ${colour}`} role="img" aria-label={t(colour === "white" ? "tour.white" : "tour.black")} />}
      <span class="ellipsis">{found?.player.name ?? "–"}</span>
      {before && <small class="muted">{before}</small>}
    </span>
  );
}

/** '1–0', '½–½', and '+–−' where somebody was not there. */
export function resultText({ result }: Pairing): string {
  switch (result) {
    case "1-0":
      return "1–0";
    case "0-1":
      return "0–1";
    case "1/2-1/2":
      return "½–½";
    case "+--":
      return "+ −";
    case "--+":
      return "− +";
    case "---":
      return "− −";
    case "bye":
      return "1";
    case "half-bye":
      return "½";
    default:
      return "·";
  }
}
