import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import { useEngineAllowed } from "./engineRule.ts";
import type { Colour } from "./types.ts";

interface Thought {
  depth: number;
  /** In pawns, from White's side; or moves to mate. */
  score: string;
  share: number;
  line: string[];
}

export interface AnalysisProps {
  variant: string;
  /** Where the game began, in FEN, and the moves since: the engine has to know who may castle and what repeats. */
  start: string;
  moves: readonly string[];
  turn: Colour;
  onBest(move: string | undefined): void;
}

const DEPTH = 18;

/** An engine in this browser looks at the position, where it may. It is loaded only when somebody opens this. */
export function Analysis(props: AnalysisProps) {
  const allowed = useEngineAllowed();
  if (allowed === undefined) return <p role="status">{t("loading")}</p>;
  return allowed ? <Engine {...props} /> : <p class="notice">{t("engine.playing")}</p>;
}

function Engine({ variant, start, moves, turn, onBest }: AnalysisProps) {
  const worker = useRef<Worker | null>(null);
  const mover = useRef(turn);
  const position = `fen ${start} moves ${moves.join(" ")}`;
  const [thought, setThought] = useState<Thought | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const engine = new Worker("/engine/stockfish.js#/engine/stockfish.wasm");
    worker.current = engine;
    engine.onerror = () => setFailed(true);
    engine.onmessage = ({ data }) => {
      const next = read(String(data), mover.current === "black");
      if (!next) return;
      setThought(next);
      onBest(next.line[0]);
    };
    engine.postMessage("uci");
    engine.postMessage(`setoption name UCI_Chess960 value ${variant === "chess960"}`);
    return () => {
      engine.terminate();
      onBest(undefined);
    };
  }, []);
  useEffect(() => {
    mover.current = turn;
    setThought(null);
    worker.current?.postMessage("stop");
    worker.current?.postMessage(`position ${position}`);
    worker.current?.postMessage(`go depth ${DEPTH}`);
  }, [position]);
  if (failed) return <p class="notice">{t("engine.failed")}</p>;
  return (
    <div class="analysis" aria-label={t("chess.analyse")} role="group">
      <div class="eval" aria-hidden="true">
        <i style={{ width: `${100 * (thought?.share ?? 0.5)}%` }} />
      </div>
      <p>
        <b>{thought?.score ?? "…"}</b> <small>{t("engine.depth", { n: thought?.depth ?? 0 })}</small>
      </p>
      <p class="line">{thought?.line.slice(0, 6).join(" ")}</p>
    </div>
  );
}

/** A line of the UCI protocol as a thought; null where it tells nothing new. */
function read(text: string, black: boolean): Thought | null {
  const parts = /depth (\d+) .*score (cp|mate) (-?\d+)(?! (?:upper|lower)bound).* pv (.+)$/.exec(text);
  if (!parts) return null;
  const value = Number(parts[3]) * (black ? -1 : 1);
  const mate = parts[2] === "mate";
  const score = mate ? `#${value}` : `${value > 0 ? "+" : ""}${(value / 100).toFixed(2)}`;
  const share = mate ? (value > 0 ? 1 : 0) : 1 / (1 + Math.exp(-0.004 * value));
  return { depth: Number(parts[1]), score, share, line: (parts[4] ?? "").split(" ") };
}
