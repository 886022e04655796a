import { useState } from "preact/hooks";
import type { PlayedRound } from "../api/types.ts";
import { textTable } from "../app/prefs.ts";
import { t } from "../i18n/index.ts";
import { Ground } from "../chess/Ground.tsx";
import { MoveList } from "../chess/MoveList.tsx";
import { boardAt, placement, sideAt } from "../chess/position.ts";
import { TextBoard } from "../chess/TextBoard.tsx";
import type { Colour } from "../chess/types.ts";
import { ending } from "../chess/words.ts";
import { lazy } from "../ui/Lazy.tsx";
import "../styles/chess.css";

const Analysis = lazy<{ fen: string; onBest(move: string | undefined): void }>(async () => (await import("../chess/Analysis.tsx")).Analysis);

/** A finished game: its moves, its result, and the engine's view of it if wanted. */
export function ChessReplay({ played }: { played: PlayedRound }) {
  const { moves, san, start, white, black, ended } = read(played);
  const [ply, setPly] = useState(moves.length);
  const [analysing, setAnalysing] = useState(false);
  const [best, setBest] = useState<string | undefined>();
  const board = boardAt(start, moves, ply);
  const turn = sideAt(start, ply);
  return (
    <div class="chess">
      <div class="chess-board">
        <p class="replay-name">{black}</p>
        {textTable.value ? (
          <TextBoard board={board} orientation="white" />
        ) : (
          <Ground
            placement={placement(board)}
            orientation="white"
            turn={turn}
            lastMove={moves[ply - 1]}
            check={/[+#]$/.test(san[ply - 1] ?? "")}
            moves={[]}
            side={null}
            ply={ply}
            arrow={analysing ? best : undefined}
            onMove={() => undefined}
          />
        )}
        <p class="replay-name">{white}</p>
      </div>
      <div class="chess-side">
        {ended && <p class="result-line">{ending(ended.winner as Colour | null | undefined, ended.reason)}</p>}
        <MoveList san={san} ply={ply} onPly={setPly} />
        <button type="button" class="button" aria-pressed={analysing} onClick={() => setAnalysing(!analysing)}>
          {t("chess.analyse")}
        </button>
        {analysing && <Analysis fen={`${placement(board)} ${turn[0]} - - 0 1`} onBest={setBest} />}
      </div>
    </div>
  );
}

function read(played: PlayedRound) {
  const moves: string[] = [];
  const san: string[] = [];
  let start: string | null = null;
  let names = ["", ""];
  for (const event of played.events) {
    if (event.type === "game_started") {
      start = String(event.fen);
      names = [event.white, event.black].map((seat) => played.names[String(seat)] ?? "");
    } else if (event.type === "moved") {
      moves.push(String(event.uci));
      san.push(String(event.san));
    } else if (event.type === "taken_back") {
      moves.splice(-Number(event.plies));
      san.splice(-Number(event.plies));
    }
  }
  const ended = played.events.find((event) => event.type === "game_ended");
  return { moves, san, start, white: names[0] ?? "", black: names[1] ?? "", ended };
}
