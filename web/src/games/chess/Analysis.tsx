import { useEffect, useRef, useState } from "preact/hooks";
import { engineLines } from "../../app/prefs.ts";
import { t } from "../../i18n/index.ts";
import { useBlock, type Block } from "./engineRule.ts";
import { Engine, type Thought } from "./study/engine.ts";
import { endOf, positionFrom, sanOf } from "./study/rules.ts";
import { scoreText, type EngineLine } from "./study/score.ts";
import { written } from "./study/written.ts";
import type { Colour } from "./types.ts";
import { ending } from "./words.ts";
import "../../styles/chess-moves.css";
import "../../styles/chess-study.css";

export interface AnalysisProps {
  variant: string;
  /** Where the game began, in FEN, and the moves since. */
  start: string;
  moves: readonly string[];
  turn: Colour;
  /** The position after them, in FEN. */
  fen: string;
  /** Told the best line that the engine has found; null while it has none. */
  onBest(line: EngineLine | null): void;
  /** Plays a move that the engine proposes. */
  onPlay(move: string): void;
}

/** An engine in this browser looks at the position, where it may. It is loaded only when somebody opens this. */
export function Analysis(props: AnalysisProps) {
  const block = useBlock({ start: props.start, moves: props.moves, fens: [props.fen] });
  return block === null ? <Lines {...props} /> : <Blocked block={block} />;
}

/** Says why no engine runs here: a game is being played. */
export function Blocked({ block }: { block: NonNullable<Block> | undefined }) {
  if (block === undefined) return <p role="status">{t("loading")}</p>;
  return (
    <p class="notice">
      {t("engine.playing")} {block.code && <a href={`/t/${block.code}`}>{t("engine.game", { name: block.opponent })}</a>}
    </p>
  );
}

function Lines({ variant, start, moves, turn, fen, onBest, onPlay }: AnalysisProps) {
  const engine = useRef<Engine | null>(null);
  const [thought, setThought] = useState<Thought | null>(null);
  const [failed, setFailed] = useState(false);
  const count = Number(engineLines.value);
  const tell = (next: Thought | null) => {
    setThought(next);
    onBest(next?.lines[0] ?? null);
  };
  const latest = useRef(tell);
  latest.current = tell;
  const position = positionFrom(variant, fen);
  const over = typeof position === "string" ? null : endOf(position);
  useEffect(() => {
    engine.current = new Engine({ onThought: (next) => latest.current(next), onFail: () => setFailed(true) });
    return () => {
      engine.current?.close();
      onBest(null);
    };
  }, []);
  useEffect(() => {
    tell(null);
    if (!over) engine.current?.ask({ chess960: variant === "chess960", start, moves, black: turn === "black", lines: count });
  }, [variant, start, moves.join(), count]);
  if (failed) return <p class="notice">{t("engine.failed")}</p>;
  const best = thought?.lines[0];
  return (
    <div class="analysis" aria-label={t("study.engine")} role="group">
      <div class="analysis-head">
        <b class="score">{over ? ending(over.winner, over.reason, { variant }) : best ? scoreText(best.score) : "…"}</b>
        {!over && <small class="muted">{t("engine.depth", { n: thought?.depth ?? 0 })}</small>}
        <label class="line-count">
          <span class="visually-hidden">{t("study.lines")}</span>
          <select value={engineLines.value} onChange={(event) => (engineLines.value = event.currentTarget.value as "1" | "2" | "3")}>
            {["1", "2", "3"].map((n) => (
              <option key={n} value={n}>
                {t(n === "1" ? "study.line" : "study.nLines", { n })}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ol class="engine-lines" aria-label={t("study.lines")}>
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>
            <EngineMoves line={thought?.lines[index]} variant={variant} fen={fen} onPlay={onPlay} />
          </li>
        ))}
      </ol>
    </div>
  );
}

const SHOWN = 12;

function EngineMoves({ line, variant, fen, onPlay }: { line: EngineLine | undefined; variant: string; fen: string; onPlay: AnalysisProps["onPlay"] }) {
  const san = line ? sanOf(variant, fen, line.moves.slice(0, SHOWN)) : [];
  const text = numbered(san, fen);
  const first = line?.moves[0];
  const content = (
    <>
      <b class="score">{line && san.length ? scoreText(line.score) : ""}</b>
      <span class="line">{text}</span>
    </>
  );
  if (!first || !san[0]) return <p class="engine-line">{content}</p>;
  return (
    <button type="button" class="engine-line" title={t("study.play", { move: written(san[0]) })} onClick={() => onPlay(first)}>
      {content}
    </button>
  );
}

/** Moves with their numbers: '12… Nf6 13. e5'. */
function numbered(san: readonly string[], fen: string): string {
  const fields = fen.split(" ");
  const first = 2 * (Number(fields.at(-1)) || 1) + (fields[1] === "b" ? 1 : 0);
  return san
    .map((move, index) => {
      const ply = first + index;
      const number = ply % 2 === 0 ? `${ply / 2}. ` : index === 0 ? `${(ply - 1) / 2}… ` : "";
      return number + written(move);
    })
    .join(" ");
}
