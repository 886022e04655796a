import { useEffect, useMemo, useRef } from "preact/hooks";
import { toast } from "../app/live.ts";
import { me } from "../app/session.ts";
import { tableName } from "../app/title.ts";
import { loadWords, num, t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { play } from "../ui/sound.ts";
import { Actions } from "./Actions.tsx";
import { DealPanel } from "./Deal.tsx";
import { Head } from "./Head.tsx";
import { Moves } from "./Moves.tsx";
import { openOwn } from "./own.ts";
import { Payouts } from "./Payouts.tsx";
import { Standings } from "./Standings.tsx";
import { TournamentStore } from "./store.ts";
import { Structure } from "./Structure.tsx";
import { Tables } from "./Tables.tsx";
import type { TournamentView } from "./types.ts";
import { entryOf, isPaired, tableNumber } from "./words.ts";
import "../styles/tournaments.css";

interface PartProps {
  tournament: TournamentStore;
  view: TournamentView;
}

const Rounds = lazy<PartProps>(async () => (await import("./Rounds.tsx")).Rounds, true);
const HostPanel = lazy<PartProps>(async () => (await import("./HostPanel.tsx")).HostPanel, true);
const WallClock = lazy<PartProps>(async () => (await import("./WallClock.tsx")).WallClock);
const Record = lazy<PartProps>(async () => {
  const [record] = await Promise.all([import("./Record.tsx"), loadWords("history", "stats")]);
  return record.Record;
});

/** One tournament: `part` is 'clock' for the page on the wall, 'history' for what was played. */
export function TournamentPage({ code, part }: { code: string; part: string }) {
  const id = me.value?.id;
  const tournament = useMemo(() => new TournamentStore(code), [code, id]);
  useEffect(() => () => tournament.close(), [tournament]);
  const view = tournament.view.value;
  useEffect(() => {
    tableName.value = view?.name ?? "";
    return () => void (tableName.value = "");
  }, [view?.name]);
  useOwnTable(part === "" ? view : null);
  if (tournament.missing.value) return <Missing code={code} />;
  if (!view || me.value === undefined) {
    return (
      <div class="page narrow center">
        <h1 class="visually-hidden">{t("tour.one")}</h1>
        <p role="status">{tournament.offline.value ? t("error.offline") : t("loading")}</p>
      </div>
    );
  }
  if (part === "clock") return <WallClock tournament={tournament} view={view} />;
  return (
    <div class="page tournament">
      <Head tournament={tournament} view={view} />
      {tournament.offline.value && (
        <p class="notice" role="status">
          {t("offline")}
        </p>
      )}
      {part === "history" ? <Record tournament={tournament} view={view} /> : <Sections tournament={tournament} view={view} />}
    </div>
  );
}

function Sections({ tournament, view }: PartProps) {
  const paired = isPaired(view);
  const tree = view.format === "knockout";
  const rounds = paired && view.rounds.length > 0 && <Rounds tournament={tournament} view={view} />;
  return (
    <>
      <Actions tournament={tournament} view={view} />
      {view.hand_for_hand && (
        <p class="notice" role="status">
          {t("tour.handForHand")}
        </p>
      )}
      <DealPanel tournament={tournament} view={view} />
      {tree && rounds}
      <div class="tour-columns">
        <div class="stack-large">
          {!tree && rounds}
          <Standings view={view} />
        </div>
        <div class="stack-large">
          {view.you?.host && <HostPanel tournament={tournament} view={view} />}
          {!paired && <Tables view={view} />}
          <Payouts view={view} />
          {!paired && <Structure view={view} />}
          <Moves view={view} />
          <nav class="row wrap" aria-label={t("tour.more")}>
            <a class="button" href={`/tournament/${view.code}/clock`}>
              <Icon name="eye" />
              {t("tour.wall")}
            </a>
            <a class="button" href={`/tournament/${view.code}/history`}>
              <Icon name="history" />
              {t("tour.record")}
            </a>
          </nav>
        </div>
      </div>
    </>
  );
}

/** Takes the player to their table when they get one: at the start, after a move, for the next game. */
function useOwnTable(view: TournamentView | null): void {
  const before = useRef<string | null | undefined>(undefined);
  const table = view?.table;
  useEffect(() => {
    if (table === undefined || !view) return;
    const known = before.current;
    before.current = table;
    // Whoever comes here while they play wants to see the tournament; the way back is a button.
    if (known === undefined || !table || table === known) return;
    void play("myTurn");
    const seat = entryOf(view, view.you?.entry ?? null)?.seat;
    const number = tableNumber(view, table);
    void openOwn(table).then(() => {
      if (!isPaired(view) && number !== undefined && seat != null) toast(t("tour.seated", { table: num(number), seat: num(seat + 1) }));
    });
  }, [table]);
}

function Missing({ code }: { code: string }) {
  return (
    <div class="page narrow center">
      <h1>{t("tour.missing")}</h1>
      <p>{t("tour.missing.hint", { code })}</p>
      <a class="button primary" href="/tournaments">
        {t("tour.title")}
      </a>
    </div>
  );
}
