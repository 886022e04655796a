import { useEffect, useState } from "preact/hooks";
import { chips, num, t } from "../i18n/index.ts";
import { play } from "../ui/sound.ts";
import { Facts, type Fact } from "./Facts.tsx";
import { clockWords } from "./Head.tsx";
import { half } from "./meetings.ts";
import { lastMoves } from "./seatChanges.ts";
import { moveWords } from "./Moves.tsx";
import { payoutLines, placesText } from "./Payouts.tsx";
import { resultText } from "./Rounds.tsx";
import type { TournamentStore } from "./store.ts";
import { clockText, timeLeft, toNextBreak } from "./clock.ts";
import type { TournamentView } from "./types.ts";
import { useSeconds } from "./useSeconds.ts";
import { blinds, entryName, fieldSize, isPaired, startSentence } from "./words.ts";
import "../styles/wall.css";

interface Props {
  tournament: TournamentStore;
  view: TournamentView;
}

/** Lines that fit beside the clock. */
const LINES = 9;
const MOVES = 4;
const BOARDS = 12;

/** The clock for the wall: read across a room, on a television or a phone. Always dark, and the screen stays on. */
export function WallClock({ tournament, view }: Props) {
  const now = useSeconds();
  const left = timeLeft(view.clock, tournament.seen.value, now);
  const number = view.level?.number ?? view.rounds.length;
  useAwake();
  useEffect(() => {
    if (view.status === "running" && number > 1) void play("myTurn");
  }, [number]);
  const moves = lastMoves(view, MOVES);
  return (
    <div class="wall" data-status={view.status}>
      <header class="wall-head">
        <h1>{view.name}</h1>
        <FullScreen />
        <a class="button" href={`/tournament/${view.code}`}>
          {t("tour.back")}
        </a>
      </header>
      <div class="wall-body">
        <Figures view={view} left={left} />
        <Middle view={view} left={left} />
        {isPaired(view) ? <Leaders view={view} /> : <Prizes view={view} />}
      </div>
      <div class="wall-foot" role="status">
        {tournament.offline.value && <p class="wall-note">{t("offline")}</p>}
        {view.hand_for_hand && <p class="wall-note">{t("tour.handForHand")}</p>}
        {moves.map((move) => <p key={`${move.entry} ${move.at}`}>{moveWords(view, move)}</p>)}
      </div>
    </div>
  );
}

function Middle({ view, left }: { view: TournamentView; left: number | null }) {
  const { clock, level, status } = view;
  if (status === "finished") {
    const names = view.standings.filter(({ place }) => place === 1).map(({ entry }) => entryName(view, entry));
    return (
      <section class="wall-middle">
        <p class="wall-words">{t("tour.winner")}</p>
        <p class="wall-winner">{names.join(", ")}</p>
      </section>
    );
  }
  const stopped = view.paused;
  return (
    <section class="wall-middle" aria-label={t("tour.wall")}>
      <p class={left === null && !level ? "wall-blinds" : "wall-words"}>{clockWords(view) || startSentence({ ...view, you: null })}</p>
      {(left !== null || clock.hands_left !== null) && (
        <p class={stopped ? "wall-time stopped" : left !== null && left < 60_000 ? "wall-time soon" : "wall-time"} role="timer" aria-label={t("tour.left")}>
          {left !== null ? clockText(left) : num(clock.hands_left ?? 0)}
        </p>
      )}
      {clock.hands_left !== null && <p class="wall-words">{t("tour.handsToGo")}</p>}
      {stopped && <p class="wall-paused">{t("tour.paused")}</p>}
      {level && (
        <p class="wall-blinds">
          {`${num(level.small_blind)} / ${num(level.big_blind)}`}
          {level.ante > 0 && <small>{t("tour.ante.n", { n: num(level.ante) })}</small>}
        </p>
      )}
      {level && <p class="wall-next">{level.next ? t("tour.next", { blinds: blinds(level.next) }) : t("tour.lastLevel")}</p>}
      {isPaired(view) && <Boards view={view} />}
    </section>
  );
}

function Figures({ view, left }: { view: TournamentView; left: number | null }) {
  const count = fieldSize(view);
  const facts: Fact[] = [view.status === "registering" || isPaired(view) ? [t("tour.players"), num(count)] : [t("tour.left.players"), `${num(view.players_left)} / ${num(count)}`]];
  if (view.average_stack !== null) {
    const big = view.level?.big_blind ?? 0;
    facts.push([t("tour.average"), big ? `${chips(view.average_stack)} · ${t("tour.bigBlinds", { n: num(Math.round(view.average_stack / big)) })}` : chips(view.average_stack)]);
  }
  if (view.pool) facts.push([t("tour.pool"), chips(view.pool)]);
  const rest = left === null || view.status !== "running" ? null : toNextBreak(view, left);
  if (rest !== null) facts.push([t("tour.nextBreak"), clockText(rest)]);
  if (view.rounds_planned !== null) facts.push([t("tour.rounds"), `${num(view.rounds.length)} / ${num(view.rounds_planned)}`]);
  const rebuys = view.entries.reduce((sum, entry) => sum + entry.rebuys + entry.reentries, 0);
  if (rebuys) facts.push([t("tour.rebuysMade"), num(rebuys)]);
  return <Facts facts={facts} look="wall-figures" />;
}

function Prizes({ view }: { view: TournamentView }) {
  const lines = payoutLines(view.payouts).slice(0, LINES);
  if (!lines.length || !view.pool) return <section class="wall-side" />;
  return (
    <section class="wall-side" aria-label={t("tour.payouts")}>
      <h2>{t("tour.payouts")}</h2>
      <ol>
        {lines.map((line) => (
          <li key={line.from} class={view.status !== "registering" && view.players_left < line.from ? "out" : ""}>
            <span>{placesText(line)}</span>
            <b>{chips(line.prize)}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Leaders({ view }: { view: TournamentView }) {
  return (
    <section class="wall-side" aria-label={t("tour.standings")}>
      <h2>{t("tour.standings")}</h2>
      <ol>
        {view.standings.slice(0, LINES).map(({ place, entry, points }) => (
          <li key={entry}>
            <span class="ellipsis">{`${num(place)}  ${entryName(view, entry)}`}</span>
            <b>{half(points ?? 0)}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Boards({ view }: { view: TournamentView }) {
  const all = view.format === "arena" ? view.rounds.flatMap(({ pairings }) => pairings).filter(({ result }) => result === null) : (view.rounds.at(-1)?.pairings ?? []);
  return (
    <ol class={all.length > BOARDS / 2 ? "wall-boards two" : "wall-boards"}>
      {all.slice(0, BOARDS).map((pairing) => (
        <li key={`${pairing.board} ${pairing.white} ${pairing.table}`}>
          {/* Every game of an arena is the first board of its own round. */}
          <span class="wall-board">{view.format === "arena" ? "" : num(pairing.board)}</span>
          <span class="ellipsis">
            {pairing.white !== null && pairing.black !== null ? `${entryName(view, pairing.white)} – ${entryName(view, pairing.black)}` : `${entryName(view, pairing.white ?? pairing.black)}: ${t("tour.bye")}`}
          </span>
          <b>{pairing.result && pairing.white !== null && pairing.black !== null ? resultText(pairing) : ""}</b>
        </li>
      ))}
    </ol>
  );
}

function FullScreen() {
  const [full, setFull] = useState(Boolean(document.fullscreenElement));
  useEffect(() => {
    const changed = () => setFull(Boolean(document.fullscreenElement));
    document.addEventListener("fullscreenchange", changed);
    return () => document.removeEventListener("fullscreenchange", changed);
  }, []);
  if (!document.fullscreenEnabled) return null;
  return (
    <button type="button" class="button" onClick={() => void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined)}>
      {t(full ? "tour.smallScreen" : "tour.fullScreen")}
    </button>
  );
}

/** Keeps the screen on while the clock is seen; a browser lets go of it when the tab is hidden. */
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const hold = async () => {
      if (document.hidden || !("wakeLock" in navigator)) return;
      lock = await navigator.wakeLock.request("screen").catch(() => undefined);
    };
    void hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      document.removeEventListener("visibilitychange", hold);
      void lock?.release();
    };
  }, []);
}
