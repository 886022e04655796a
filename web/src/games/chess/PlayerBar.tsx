import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import { daysLeft } from "../../lobby/describe.ts";
import type { TableStore } from "../../table/store.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { lazy } from "../../ui/Lazy.tsx";
import { Name } from "../../ui/Name.tsx";
import { play } from "../../ui/sound.ts";
import { checksGiven, DAY, lowFrom } from "./facts.ts";
import { PieceArt } from "./PieceArt.tsx";
import { balance, captured, type Board } from "./position.ts";
import { coloursKnown, seatOf, type ChessView, type Colour } from "./types.ts";

const PlayerRating = lazy<ComponentProps<(typeof import("./PlayerRating.tsx"))["PlayerRating"]>>(async () => (await import("./PlayerRating.tsx")).PlayerRating, true);

interface Props {
  table: TableStore;
  view: ChessView;
  colour: Colour;
  board: Board;
  /** 'top' or 'bottom' of the board. */
  place: string;
  /** Whether this player's clock warns with a sound. */
  own: boolean;
  /** What the player has in hand, in a game with drops; it stands in the place of what was taken. */
  pocket?: ComponentChildren;
  children?: ComponentChildren;
}

/** One player at the edge of the board: face, name, what they have taken, and their clock. */
export function PlayerBar({ table, view, colour, board, place, own, pocket, children }: Props) {
  const { state } = view;
  const seat = seatOf(view, colour);
  const person = seat === null ? null : table.person(seat);
  const present = view.seats.find((one) => one.seat === seat);
  const turn = state.turn === colour && !state.result && view.status === "playing";
  const won = state.result?.winner === colour;
  const checks = checksGiven(state.variant, state.fen, colour);
  return (
    <div class={`player-bar ${place}${turn ? " turn" : ""}${pocket ? " with-pocket" : ""}`} data-player={colour}>
      {person ? <Avatar person={person} size="small" /> : <span class="avatar small empty" aria-hidden="true" />}
      <span class="player-text">
        <span class="name-line">
          {coloursKnown(view) && <i class={`colour-dot ${colour}`} role="img" aria-label={t(`chess.${colour}`)} />}
          <span class="name ellipsis">
            <Name name={person?.name ?? t("chess.nobody")} />
          </span>
          {person && state.rated && !person.bot && <PlayerRating id={person.id} settings={view.settings} variant={state.variant} ended={state.result !== null} />}
          {won && <em class="badge won">{t("chess.winner")}</em>}
          {checks !== null && (
            <span class="checks" role="img" aria-label={t("chess.checks", { n: checks })}>
              {[1, 2, 3].map((n) => (
                <i key={n} class={n <= checks ? "on" : ""}>
                  +
                </i>
              ))}
            </span>
          )}
          {person && present?.player && !present.connected && !person.bot && <em class="badge quiet">{t("people.away")}</em>}
        </span>
        {pocket ?? <Taken board={board} start={state.start_fen} colour={colour} />}
      </span>
      <Clock table={table} view={view} colour={colour} own={own} />
      {children}
    </div>
  );
}

/** How far the next piece lies from one of its kind, and from one of another, in its own widths. */
const SAME = 0.5;
const OTHER = 0.85;

/** The pieces that this player has taken, and by how much they are ahead. They are placed by `transform`, so that one more shifts nothing. */
function Taken({ board, start, colour }: { board: Board; start: string; colour: Colour }) {
  const taken = captured(board, start, colour === "black").reverse();
  const ahead = balance(board) * (colour === "white" ? 1 : -1);
  const words = [taken.length ? t("chess.taken", { n: taken.length }) : "", ahead > 0 ? `+${ahead}` : ""].filter(Boolean).join(", ");
  let x = 0;
  const places = taken.map((piece, index) => (x += index === 0 ? 0 : piece === taken[index - 1] ? SAME : OTHER));
  const at = (place: number) => ({ transform: `translateX(${place}em)` });
  return (
    <span class="taken" role="img" aria-label={words || t("chess.taken", { n: 0 })}>
      {taken.map((piece, index) => (
        <i key={index} style={at(places[index] ?? 0)}>
          <PieceArt piece={piece} white={colour === "black"} />
        </i>
      ))}
      {ahead > 0 && (
        <i style={at(taken.length ? x + 1.25 : 0)}>
          <b>+{ahead}</b>
        </i>
      )}
    </span>
  );
}

function Clock({ table, view, colour, own }: Pick<Props, "table" | "view" | "colour" | "own">) {
  const { clock, game } = view.state;
  const running = clock?.running === colour && !view.paused;
  const [, tick] = useState(0);
  const warned = useRef(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((count) => count + 1), 100);
    return () => clearInterval(timer);
  }, [running, view.seq]);
  const left = clock ? Math.max(0, clock[colour] - (running ? table.now() - clock.since : 0)) : 0;
  const { days, odds } = view.settings;
  const other = odds === "black" ? colour === "black" : odds === "second" && seatOf(view, colour) === 1;
  const minutes = Number(other ? view.settings.odds_minutes : view.settings.minutes);
  const low = clock !== null && left < lowFrom(Number(days) > 0 ? Number(days) * DAY : minutes * 60_000);
  useEffect(() => {
    if (!low || !own || !running || warned.current === game) return;
    warned.current = game;
    void play("lowTime");
  }, [low, own, running, game]);
  if (!clock) return null;
  return (
    <span
      class={`clock${running ? " running" : ""}${low ? " low" : ""}`}
      role="timer"
      aria-label={t("chess.clock", { time: clockText(left < 10_000 ? Math.floor(left / 1000) * 1000 : left) })}
      data-clock={colour}
      data-ms={Math.round(left)}
    >
      <Figures text={clockText(left)} />
    </span>
  );
}

/** Each figure in a cell of its own, so that a clock keeps its shape while its digits and its typeface change. */
function Figures({ text }: { text: string }) {
  if (!/^[\d:.]+$/.test(text)) return <>{text}</>;
  return (
    <>
      {Array.from(text, (char, index) => (
        <i key={index} class={/\d/.test(char) ? "digit" : "mark"}>
          {char}
        </i>
      ))}
    </>
  );
}

export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const days = daysLeft(ms);
  if (days) return days;
  const two = (n: number) => String(n).padStart(2, "0");
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const tenth = seconds < 10 ? `.${Math.floor((ms % 1000) / 100)}` : "";
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}${tenth}`;
}
