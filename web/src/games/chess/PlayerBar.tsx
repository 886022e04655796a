import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { GLYPHS } from "./pieces.ts";
import { balance, captured, type Board } from "./position.ts";
import type { ChessView, Colour } from "./types.ts";

interface Props {
  table: TableStore;
  view: ChessView;
  colour: Colour;
  board: Board;
  /** What the player has in hand, in a game with drops; it stands in the place of what was taken. */
  pocket?: ComponentChildren;
}

/** One player: name, what they have taken, and their clock. */
export function PlayerBar({ table, view, colour, board, pocket }: Props) {
  const seat = view.state.players[colour];
  const person = seat === null ? null : table.person(seat);
  const present = view.seats.find((one) => one.seat === seat);
  const taken = captured(board, view.state.start_fen, colour === "black");
  const ahead = balance(board) * (colour === "white" ? 1 : -1);
  const turn = view.state.turn === colour && !view.state.result && view.status === "playing";
  return (
    <div class={turn ? "player-bar turn" : "player-bar"}>
      {person ? <Avatar person={person} size="small" /> : <span class="avatar small empty" aria-hidden="true" />}
      <span class="player-text">
        <span class="name-line">
          <span class="name ellipsis">{person?.name ?? t("chess.nobody")}</span>
          {person && present && !present.connected && !person.bot && <em class="badge quiet">{t("people.away")}</em>}
        </span>
        {pocket ?? (
          <span class="taken" aria-label={t("chess.taken", { n: taken.length })} role="img">
            {taken.map((piece, index) => (
              <i key={index}>{GLYPHS[piece]}</i>
            ))}
            {ahead > 0 && <b>+{ahead}</b>}
          </span>
        )}
      </span>
      <Clock table={table} view={view} colour={colour} />
    </div>
  );
}

function Clock({ table, view, colour }: Omit<Props, "board" | "pocket">) {
  const clock = view.state.clock;
  const running = clock?.running === colour && !view.paused;
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((count) => count + 1), 100);
    return () => clearInterval(timer);
  }, [running, view.seq]);
  if (!clock) return null;
  const left = Math.max(0, clock[colour] - (running ? table.now() - clock.since : 0));
  return (
    <span class={`clock${running ? " running" : ""}${left < 20_000 ? " short" : ""}`} role="timer" aria-label={t("chess.clock", { time: clockText(left) })}>
      {clockText(left)}
    </span>
  );
}

export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds >= 2 * 86400) return t("chess.days", { n: Math.floor(seconds / 86400) });
  const two = (n: number) => String(n).padStart(2, "0");
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const tenth = seconds < 10 ? `.${Math.floor((ms % 1000) / 100)}` : "";
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}${tenth}`;
}
