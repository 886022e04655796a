import type { Api } from "chessground/api";
import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../../app/live.ts";
import { textTable } from "../../app/prefs.ts";
import { t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { lazy } from "../../ui/Lazy.tsx";
import { play } from "../../ui/sound.ts";
import type { AnalysisProps } from "./Analysis.tsx";
import { Controls } from "./Controls.tsx";
import { engineKnows, gameRuns } from "./engineRule.ts";
import { Ground } from "./Ground.tsx";
import { MoveInput } from "./MoveInput.tsx";
import { MoveList } from "./MoveList.tsx";
import { ROLES, type InHand } from "./pieces.ts";
import { PlayerBar } from "./PlayerBar.tsx";
import { Pocket } from "./Pocket.tsx";
import { placement, pocketOf, positionAt, positionOf, sideAt } from "./position.ts";
import { Promotion } from "./Promotion.tsx";
import { TextBoard } from "./TextBoard.tsx";
import type { ChessView, Colour } from "./types.ts";
import { ending } from "./words.ts";
import "../../styles/chess.css";

const Analysis = lazy<AnalysisProps>(async () => (await import("./Analysis.tsx")).Analysis);

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
  const position = live ? positionOf(state.fen) : positionAt(state.variant, state.start_fen, state.moves, ply);
  const { board } = position;
  const side = sideOf(view);
  const nearest: Colour = (side ?? "white") === "black" && !view.settings.same_screen ? "black" : "white";
  const bottom: Colour = flipped ? other(nearest) : nearest;

  const engine = analysing && !gameRuns(view) && engineKnows(state.variant);
  const [held, setHeld] = useState<string | null>(null);
  const ground = useRef<Api | null>(null);
  const drops = new Set(live ? view.legal?.moves.filter((uci) => uci[1] === "@") : []);

  useEffect(() => {
    setLooking(null);
    setAnalysing(false);
  }, [state.game]);
  useEffect(() => setHeld(null), [view.turn]);
  useEffect(() => {
    if (state.moves.length) void play("move");
  }, [state.moves.length]);

  const send = (uci: string) => void table.act({ type: "move", uci }, view.turn);
  const move = (from: string, to: string) => {
    const choices = view.legal?.moves.filter((legal) => legal.startsWith(from + to)) ?? [];
    if (choices.length > 1) setPromoting([from, to]);
    else if (choices[0]) send(choices[0]);
  };
  const drop = (piece: string, square: string) => {
    setHeld(null);
    if (drops.has(`${piece}@${square}`)) send(`${piece}@${square}`);
    else say(t("chess.notLegal", { move: `${piece}@${square}` }));
  };
  const pocket = (colour: Colour) => {
    const pieces = pocketOf(position, colour === "white");
    if (!pieces) return undefined;
    const mine = live && colour === side && colour === state.turn;
    const drag = (piece: string, event: MouseEvent | TouchEvent) => {
      ground.current?.dragNewPiece({ role: ROLES[piece as InHand], color: colour }, event);
    };
    const droppable = new Set(mine ? [...drops].map((uci) => uci.charAt(0)) : []);
    return <Pocket white={colour === "white"} pieces={pieces} droppable={droppable} held={mine ? held : null} onHold={setHeld} onDrag={drag} />;
  };
  const started = state.game > 0 && (state.players.white !== null || state.players.black !== null);
  return (
    <section class="chess" aria-label={t("chess.label")}>
      <div class="chess-board">
        <PlayerBar table={table} view={view} colour={other(bottom)} board={board} pocket={pocket(other(bottom))} />
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
            arrow={engine ? best : undefined}
            onMove={move}
            onSelect={(square) => held && drop(held, square)}
            onDrop={drop}
            api={ground}
          />
        )}
        <PlayerBar table={table} view={view} colour={bottom} board={board} pocket={pocket(bottom)} />
      </div>
      <div class="chess-side">
        {state.result && (
          <p class="result-line">{ending(state.result.winner, state.result.reason)}</p>
        )}
        <MoveList san={state.san} start={state.start_fen} ply={ply} onPly={(next) => setLooking(next === state.moves.length ? null : next)} />
        {view.legal && live && <MoveInput board={board} legal={view.legal.moves} onMove={send} />}
        <Controls table={table} view={view} side={side} analysing={engine} onFlip={() => setFlipped(!flipped)} onAnalyse={() => setAnalysing(!analysing)} />
        {engine && <Analysis variant={state.variant} start={state.start_fen} moves={state.moves.slice(0, ply)} turn={sideAt(state.start_fen, ply)} onBest={setBest} />}
      </div>
      {promoting && (
        <Promotion
          colour={state.turn}
          pieces={view.legal?.moves.filter((uci) => uci.startsWith(promoting.join(""))).map((uci) => uci.charAt(4)) ?? []}
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
