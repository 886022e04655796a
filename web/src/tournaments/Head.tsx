import { useState } from "preact/hooks";
import { num, t } from "../i18n/index.ts";
import type { Settings } from "../api/types.ts";
import { gameTitle, timeOf } from "../lobby/describe.ts";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { Facts, type Fact } from "./Facts.tsx";
import type { TournamentStore } from "./store.ts";
import { clockText, timeLeft } from "./clock.ts";
import type { TournamentView } from "./types.ts";
import { useSeconds } from "./useSeconds.ts";
import { blinds, fieldSize, formatName, isPaired, startSentence, statusName } from "./words.ts";

interface Props {
  tournament: TournamentStore;
  view: TournamentView;
}

const Invite = lazy<{ code: string; onClose(): void }>(async () => (await import("./Invite.tsx")).Invite, true);

/** What is played at the tables: 'Pot-limit Omaha', 'Chess960 · 5+3'. */
function gameLine(game: string, settings: Settings): string {
  const table = (settings.table ?? {}) as Settings;
  return [gameTitle(game, table), timeOf(table)].filter(Boolean).join(" · ");
}

/** What it is and where it stands: name, clock, and the figures that everybody asks for. */
export function Head({ tournament, view }: Props) {
  const [inviting, setInviting] = useState(false);
  return (
    <header class={`tour-head ${view.game}`}>
      <div class="tour-title">
        <p class="tour-kind">{[gameLine(view.game, view.settings), formatName(view.format)].join(" · ")}</p>
        <h1>{view.name}</h1>
        <p class="row wrap">
          <em class={`badge ${view.paused ? "paused" : view.status}`}>{view.paused ? t("tour.paused") : statusName(view.status)}</em>
          <span>{t("tour.hostedBy", { name: view.host.name })}</span>
          <button type="button" class="button small" onClick={() => setInviting(true)}>
            <Icon name="share" />
            {view.code}
          </button>
        </p>
      </div>
      <Clock tournament={tournament} view={view} />
      <HeadFacts view={view} />
      {inviting && <Invite code={view.code} onClose={() => setInviting(false)} />}
    </header>
  );
}

/** What the clock counts down to, in words. */
export function clockWords(view: TournamentView): string {
  const { clock, level, rounds, format } = view;
  switch (clock.kind) {
    case "start":
      return t("tour.clock.start");
    case "break":
      return t("tour.clock.break");
    case "arena":
      return t("tour.clock.arena");
    case "round":
      return t("tour.clock.round");
    default:
      if (level) return t("tour.level.n", { n: num(level.number) });
      return rounds.length && format !== "arena" ? t("tour.round.n", { n: num(rounds.length) }) : "";
  }
}

function Clock({ tournament, view }: Props) {
  const { clock, level } = view;
  const now = useSeconds(clock.running);
  const left = timeLeft(clock, tournament.seen.value, now);
  if (view.status === "finished") return <Winner view={view} />;
  if (view.status === "registering" && left === null) {
    return (
      <div class="tour-clock">
        <p class="tour-clock-words">{startSentence(view)}</p>
      </div>
    );
  }
  return (
    <div class="tour-clock">
      <p class={level || left !== null ? "tour-clock-words" : "tour-blinds"}>{clockWords(view)}</p>
      {level && <p class="tour-blinds">{blinds(level)}</p>}
      {left !== null && (
        <p class={clock.running ? "tour-time" : "tour-time stopped"} role="timer" aria-label={t("tour.left")}>
          {clockText(left)}
        </p>
      )}
      {clock.hands_left !== null && <p class="tour-time">{t("tour.handsLeft", { n: num(clock.hands_left) })}</p>}
      {view.paused && <p>{t("tour.paused")}</p>}
      {level?.next && <p class="tour-next">{t("tour.next", { blinds: blinds(level.next) })}</p>}
    </div>
  );
}

function Winner({ view }: { view: TournamentView }) {
  const first = view.standings.filter(({ place }) => place === 1);
  const names = first.map(({ entry }) => view.entries.find((one) => one.entry === entry)?.player.name ?? "").join(", ");
  return (
    <div class="tour-clock">
      <p class="tour-clock-words">{names ? t("tour.winner") : t("tour.status.finished")}</p>
      <p class="tour-blinds">{names}</p>
    </div>
  );
}

function HeadFacts({ view }: { view: TournamentView }) {
  const { settings, pool, average_stack, players_left } = view;
  const count = fieldSize(view);
  const most = Number(settings.entries_max ?? 0);
  const buyIn = Number(settings.buy_in ?? 0);
  const facts: Fact[] =
    view.status === "registering"
      ? [[t("tour.players"), view.format === "sitngo" ? `${num(count)}/${num(most)}` : num(count)]]
      : isPaired(view)
        ? [[t("tour.players"), num(count)]]
        : [[t("tour.left.players"), `${num(players_left)}/${num(count)}`]];
  if (average_stack !== null) facts.push([t("tour.average"), num(average_stack)]);
  if (isPaired(view)) {
    if (view.format === "swiss" && Number(settings.rounds) > 0) facts.push([t("tour.rounds"), num(Number(settings.rounds))]);
  } else {
    facts.push([t("tour.buyIn"), Number(settings.bounty ?? 0) > 0 ? `${num(buyIn)} (${t("tour.ofBounty", { n: num(Number(settings.bounty)) })})` : num(buyIn)]);
    if (view.status === "registering") facts.push([t("tour.stack"), num(Number(settings.stack ?? 0))]);
    facts.push([t("tour.pool"), num(pool)]);
  }
  const late = Number(settings.late_until ?? 0);
  const over = view.status === "finished" || (view.level?.number ?? view.rounds.length) > late;
  if (late > 0 && !over && (view.format === "mtt" || view.format === "swiss")) facts.push([t("tour.late"), t(isPaired(view) ? "tour.late.round" : "tour.late.level", { n: num(late) })]);
  return <Facts facts={facts} look="tour-facts" />;
}
