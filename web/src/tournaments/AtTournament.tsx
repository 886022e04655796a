import { effect } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { say, toast } from "../app/live.ts";
import { me } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import type { TableStore } from "../table/store.ts";
import { play } from "../ui/sound.ts";
import { DealDialog } from "./Deal.tsx";
import { byeOf, half } from "./meetings.ts";
import { openOwn } from "./own.ts";
import { ResultCard } from "./ResultCard.tsx";
import { TournamentStore } from "./store.ts";
import { clockText, timeLeft } from "./clock.ts";
import type { TournamentView } from "./types.ts";
import { useSeconds } from "./useSeconds.ts";
import { blinds, byeWords, entryOf, formatName, isPaired, ordinal, placesNow, tableNumber } from "./words.ts";
import "../styles/strip.css";

interface Props {
  table: TableStore;
  code: string;
}

/** A tournament is asked for this often at most while one plays: what concerns one's own seat the table tells at once. */
const PACE = 4000;
/** How long the end of a hand may be looked at before one is taken to another table. */
const LOOK = 4000;

/** The table that somebody is being taken to: its page tells them where they sit. */
let arriving = "";
/** Whether their last table sent them there: whoever enters again is given a seat, and was not moved. */
let moved = false;

/** What a table of a tournament shows besides the game: where the tournament stands, and the way to the next table. */
export function AtTournament({ table, code }: Props) {
  const id = me.value?.id;
  const tournament = useMemo(() => new TournamentStore(code, PACE), [code, id]);
  useEffect(() => () => tournament.close(), [tournament]);
  const view = tournament.view.value;
  const [closed, setClosed] = useState(false);
  const [told, setTold] = useState(false);
  const paused = view?.paused ?? false;
  useEffect(() => void (table.halted.value = paused), [table, paused]);
  useFollow(table, tournament);
  useArrival(table, view);
  useVoice(view);
  useBye(view);
  const own = view && entryOf(view, view.you?.entry ?? null);
  // The table waits while a deal is voted on: whoever has not answered is asked here.
  const asked = Boolean(view?.deal && Object.keys(view.deal.shares).length && view.you?.can.includes("deal") && own && !view.deal.agreed.includes(own.entry));
  const [declined, setDeclined] = useState(false);
  useEffect(() => setDeclined(false), [asked]);
  const over = Boolean(view && own && (own.status === "out" || own.status === "removed" || view.status === "finished"));
  // Whoever enters again may go out again.
  useEffect(() => {
    setClosed(false);
    setTold(false);
  }, [over]);
  // The card waits for the end of the hand, and then stays while the others play on.
  const showing = table.showing.value;
  useEffect(() => {
    if (over && !showing) setTold(true);
  }, [over, showing]);
  return (
    <>
      <Strip tournament={tournament} table={table} code={code} view={view} />
      {view && asked && !declined && <DealDialog tournament={tournament} view={view} onClose={() => setDeclined(true)} />}
      {view && over && table.sat && told && !closed && <ResultCard tournament={tournament} view={view} onClose={() => setClosed(true)} />}
    </>
  );
}

/** Follows the player to the next table: where the table says so, or the tournament has another one for them. */
function useFollow(table: TableStore, tournament: TournamentStore): void {
  useEffect(() => {
    let timer = 0;
    const follow = (to: string, sent: boolean) => {
      if (arriving === to) return;
      arriving = to;
      moved = sent;
      const since = Date.now();
      const leave = () => {
        // What is still shown of the last hand is looked at to its end, but nobody is late for the next.
        if (table.showing.peek() && Date.now() - since < LOOK) return void (timer = setTimeout(leave, 100));
        void openOwn(to);
      };
      leave();
    };
    const told = effect(() => {
      const you = table.view.value?.you?.id;
      for (const event of table.latest.value) {
        if (event.type !== "unseated" || event.player !== you) continue;
        if (event.reason === "moved" && typeof event.to === "string") follow(event.to, true);
        else void tournament.refresh();
      }
    });
    const seated = effect(() => {
      const to = tournament.view.value?.table;
      const paired = tournament.view.value !== null && isPaired(tournament.view.value);
      // The seat at a board stays one's own after the game.
      const left = table.mySeat.value === null || (paired && table.view.value?.status !== "playing");
      // Whoever never sat here watches, and is left alone.
      if (to && to !== table.code && left && table.sat) follow(to, false);
    });
    return () => {
      told();
      seated();
      clearTimeout(timer);
    };
  }, [table, tournament]);
}

/** Says aloud what the strip shows: a new level, a break, hands dealt together. */
function useVoice(view: TournamentView | null): void {
  const level = view?.level;
  const heard = useRef("");
  const words = !view ? "" : view.status === "break" ? t("tour.break") : level ? `${t("tour.level.n", { n: num(level.number) })}, ${blinds(level)}` : "";
  const together = view?.hand_for_hand ?? false;
  useEffect(() => {
    if (words && heard.current && heard.current !== words) say(words);
    heard.current = words || heard.current;
  }, [words]);
  useEffect(() => {
    if (together) say(t("tour.handForHand"));
  }, [together]);
}

/** Tells whoever has no opponent in a new round, and so no table, that they have not been forgotten. */
function useBye(view: TournamentView | null): void {
  const bye = view && byeOf(view, view.you?.entry ?? null);
  useEffect(() => {
    if (bye) toast(byeWords(bye));
  }, [bye?.round]);
}

/** Tells whoever was brought here where they sit. */
function useArrival(table: TableStore, view: TournamentView | null): void {
  const seat = table.mySeat.value;
  useEffect(() => {
    if (!view || seat === null || arriving !== table.code) return;
    arriving = "";
    const number = tableNumber(view, table.code);
    void play("myTurn");
    if (number === undefined) return;
    const places = { table: num(number), seat: num(seat + 1) };
    toast(isPaired(view) ? t("tour.nextGame") : t(moved ? "tour.moved" : "tour.seated", places));
  }, [view !== null, seat]);
}

function Strip({ tournament, table, code, view }: Props & { tournament: TournamentStore; view: TournamentView | null }) {
  const now = useSeconds(view?.clock.running ?? false);
  if (!view) {
    return (
      <a class="tour-strip" href={`/tournament/${code}`}>
        {t("tour.back")}
      </a>
    );
  }
  const left = timeLeft(view.clock, tournament.seen.value, now);
  const own = view.standings.find(({ entry }) => entry === view.you?.entry);
  const bye = byeOf(view, view.you?.entry ?? null);
  const elsewhere = view.table !== null && view.table !== table.code;
  return (
    <>
      <a class="tour-strip" href={`/tournament/${code}`}>
        <span class="visually-hidden">{t("tour.back")}</span>
        {view.level && (
          <span>
            <small>{t("tour.level.n", { n: num(view.level.number) })}</small>
            <b>{blinds(view.level)}</b>
          </span>
        )}
        {isPaired(view) && (
          <span>
            <small>{formatName(view.format)}</small>
            <b>{view.format === "arena" ? view.name : t("tour.round.n", { n: num(view.rounds.length) })}</b>
          </span>
        )}
        {bye && (
          <span>
            <small>{t("tour.strip.bye")}</small>
            <b>{bye.points ? `+${half(bye.points)}` : "–"}</b>
          </span>
        )}
        {left !== null && (
          <span>
            <small>{t(view.status === "break" ? "tour.break" : view.level?.next ? "tour.strip.next" : "tour.left")}</small>
            <b class="figures-only">{view.level?.next && view.status !== "break" ? `${clockText(left)} · ${blinds(view.level.next)}` : clockText(left)}</b>
          </span>
        )}
        {view.clock.hands_left !== null && (
          <span>
            <small>{t("tour.strip.next")}</small>
            <b>{t("tour.handsLeft", { n: num(view.clock.hands_left) })}</b>
          </span>
        )}
        <span>
          <small>{own ? t("tour.strip.place") : t("tour.left.players")}</small>
          <b>{own ? t("tour.strip.of", { place: ordinal(own.place), n: num(placesNow(view, own.place)) }) : num(view.players_left)}</b>
        </span>
        {view.hand_for_hand && <em class="badge">{t("tour.handForHand.short")}</em>}
      </a>
      {(["rebuy", "add_on"] as const).map(
        (way) =>
          view.you?.can.includes(way) && (
            <button key={way} type="button" class="button small primary" onClick={() => void tournament.ask("POST", `/${way}`)}>
              {t(way === "rebuy" ? "tour.strip.rebuy" : "tour.strip.addOn")}
            </button>
          ),
      )}
      {elsewhere && (
        <a class="button small primary" href={`/t/${view.table}`}>
          {t("tour.toTable")}
        </a>
      )}
    </>
  );
}
