import { useEffect, useState } from "preact/hooks";
import { sounds, textTable } from "../app/prefs.ts";
import { t, tryT } from "../i18n/index.ts";
import type { TableStore } from "../table/store.ts";
import { lazy } from "../ui/Lazy.tsx";
import { play } from "../ui/sound.ts";
import { Controls } from "./Controls.tsx";
import { Ground } from "./Ground.tsx";
import { MoveInput } from "./MoveInput.tsx";
import { MoveList } from "./MoveList.tsx";
import { PlayerBar } from "./PlayerBar.tsx";
import { boardAt, placement, sideAt } from "./position.ts";
import { Promotion } from "./Promotion.tsx";
import { TextBoard } from "./TextBoard.tsx";
import type { ChessView, Colour } from "./types.ts";
import "../styles/chess.css";

const Analysis = lazy<{ fen: string; onBest(move: string | undefined): void }>(async () => (await import("./Analysis.tsx")).Analysis);

/** The chess table: the board between its players, the moves, and what one may do. */
export function ChessTable({ table }: { table: TableStore }) {
  const view = table.view.value as ChessView;
  const { state } = view;
  const [looking, setLooking] = useState<number | null>(null);
  const [flipped, setFlipped] = useState(false);
  const [promoting, setPromoting] = useState<[string, string] | null>(null);
  const [analysing, setAnalysing] = useState(false);
  const [best, setBest] = useState<string | undefined>();
  const ply = looking ?? state.moves.length;
  const live = ply === state.moves.length;
  const board = boardAt(state.start_fen, state.moves, ply);
  const side = sideOf(view);
  const nearest: Colour = (side ?? "white") === "black" && !view.settings.same_screen ? "black" : "white";
  const bottom: Colour = flipped ? other(nearest) : nearest;

  useEffect(() => setLooking(null), [state.game]);
  useEffect(() => {
    if (state.moves.length && sounds.value) play("move");
  }, [state.moves.length]);

  const send = (uci: string) => void table.act({ type: "move", uci }, view.turn);
  const move = (from: string, to: string) => {
    const choices = view.legal?.moves.filter((legal) => legal.startsWith(from + to)) ?? [];
    if (choices.length > 1) setPromoting([from, to]);
    else if (choices[0]) send(choices[0]);
  };
  const started = state.game > 0 && (state.players.white !== null || state.players.black !== null);
  return (
    <section class="chess" aria-label={t("chess.label")}>
      <div class="chess-board">
        <PlayerBar table={table} view={view} colour={other(bottom)} board={board} />
        {textTable.value ? (
          <TextBoard board={board} orientation={bottom} />
        ) : (
          <Ground
            placement={live ? (state.fen.split(" ")[0] ?? placement(board)) : placement(board)}
            orientation={bottom}
            turn={live ? state.turn : sideAt(state.start_fen, ply)}
            lastMove={state.moves[ply - 1]}
            check={live ? state.check : (state.san[ply - 1] ?? "").endsWith("+")}
            moves={live ? (view.legal?.moves ?? []) : []}
            side={live && !state.result && started ? side : null}
            ply={state.moves.length}
            arrow={analysing ? best : undefined}
            onMove={move}
          />
        )}
        <PlayerBar table={table} view={view} colour={bottom} board={board} />
      </div>
      <div class="chess-side">
        {state.result && (
          <p class="result-line">
            {t(state.result.winner ? `over.${state.result.winner}` : "over.draw", { reason: tryT(`reason.${state.result.reason}`, state.result.reason) })}
          </p>
        )}
        <MoveList san={state.san} ply={ply} onPly={(next) => setLooking(next === state.moves.length ? null : next)} />
        {view.legal && live && <MoveInput board={board} legal={view.legal.moves} onMove={send} />}
        <Controls table={table} view={view} side={side} analysing={analysing} onFlip={() => setFlipped(!flipped)} onAnalyse={() => setAnalysing(!analysing)} />
        {analysing && <Analysis fen={live ? state.fen : `${placement(board)} ${sideAt(state.start_fen, ply)[0]} - - 0 1`} onBest={setBest} />}
      </div>
      {promoting && (
        <Promotion
          colour={state.turn}
          onClose={() => setPromoting(null)}
          onChoose={(piece) => {
            setPromoting(null);
            send(promoting.join("") + piece);
          }}
        />
      )}
    </section>
  );
}

export const other = (colour: Colour): Colour => (colour === "white" ? "black" : "white");

/** The colour that this person moves: on one screen, whoever's turn it is. */
function sideOf(view: ChessView): Colour | null {
  const seats = view.you?.seats ?? [];
  if (seats.length > 1) return view.state.turn;
  if (seats.length === 0) return null;
  return view.state.players.white === seats[0] ? "white" : view.state.players.black === seats[0] ? "black" : null;
}
