import { useState } from "preact/hooks";
import type { PlayedRound } from "../../api/types.ts";
import { textTable } from "../../app/prefs.ts";
import { t } from "../../i18n/index.ts";
import { Ground } from "./Ground.tsx";
import { MoveList } from "./MoveList.tsx";
import type { AnalysisProps } from "./Analysis.tsx";
import { engineKnows } from "./engineRule.ts";
import { Pocket } from "./Pocket.tsx";
import { placement, pocketOf, positionAt, sideAt, START } from "./position.ts";
import { TextBoard } from "./TextBoard.tsx";
import type { Colour } from "./types.ts";
import { ending } from "./words.ts";
import { lazy } from "../../ui/Lazy.tsx";
import "../../styles/chess.css";

const Analysis = lazy<AnalysisProps>(async () => (await import("./Analysis.tsx")).Analysis);

/** A finished game: its moves, its result, and the engine's view of it if wanted. */
export function ChessReplay({ played }: { played: PlayedRound }) {
  const { moves, san, variant, start, white, black, ended } = read(played);
  const [ply, setPly] = useState(moves.length);
  const [analysing, setAnalysing] = useState(false);
  const [best, setBest] = useState<string | undefined>();
  const position = positionAt(variant, start, moves, ply);
  const { board } = position;
  const turn = sideAt(start, ply);
  const name = (player: string, isWhite: boolean) => {
    const pieces = pocketOf(position, isWhite);
    return (
      <p class="replay-name">
        {player} {pieces && <Pocket white={isWhite} pieces={pieces} />}
      </p>
    );
  };
  return (
    <div class="chess">
      <div class="chess-board">
        {name(black, false)}
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
        {name(white, true)}
      </div>
      <div class="chess-side">
        {ended && <p class="result-line">{ending(ended.winner as Colour | null | undefined, ended.reason)}</p>}
        <MoveList san={san} start={start} ply={ply} onPly={setPly} />
        {engineKnows(variant) && (
          <button type="button" class="button" aria-pressed={analysing} onClick={() => setAnalysing(!analysing)}>
            {t("chess.analyse")}
          </button>
        )}
        {analysing && <Analysis variant={variant} start={start} moves={moves.slice(0, ply)} turn={turn} onBest={setBest} />}
      </div>
    </div>
  );
}

function read(played: PlayedRound) {
  const moves: string[] = [];
  const san: string[] = [];
  let variant = "standard";
  let start = START;
  let names = ["", ""];
  for (const event of played.events) {
    if (event.type === "game_started") {
      variant = String(event.variant);
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
  return { moves, san, variant, start, white: names[0] ?? "", black: names[1] ?? "", ended };
}
