import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { num, t } from "../../../i18n/index.ts";
import { Blocked } from "../Analysis.tsx";
import { useBlock } from "../engineRule.ts";
import type { Colour } from "../types.ts";
import { Engine } from "./engine.ts";
import { numberOf, plyOf } from "./MoveTree.tsx";
import { annotated, NAG_OF, reportOf, type Assessed, type Report as Found, type Side, type Turn } from "./report.ts";
import { endOf, lineOf, positionFrom, sanOf } from "./rules.ts";
import { mainLine, movesOn, onMainLine, type Move, type Path, type Tree } from "./tree.ts";
import { written } from "./written.ts";
import "../../../styles/chess-report.css";

export interface ReportProps {
  tree: Tree;
  at: Path;
  onGo(path: Path): void;
  onChange(tree: Tree, at: Path): void;
}

/** How far the engine looks ahead at each position: enough to see tactics, and a game takes about a minute. */
const DEPTH = 14;

/** How well both sides played the main line, by the engine in this browser: accuracy, turning points, a graph. */
export function Report(props: ReportProps) {
  const { tree } = props;
  const line = mainLine(tree);
  const key = line.join();
  const moves = useMemo(() => movesOn(tree, line), [key]);
  const block = useBlock({ start: tree.start, moves: line, fens: moves.map((move) => move.fen) });
  if (!moves.length) return <p class="muted small">{t("report.empty")}</p>;
  return block === null ? <Assessment key={key} {...props} line={line} moves={moves} /> : <Blocked block={block} />;
}

type Played = ReportProps & { line: Path; moves: readonly Move[] };

function Assessment({ tree, at, onGo, onChange, line, moves }: Played) {
  const { assessed, failed, stopped, setStopped } = useAssessed(tree, line, moves);
  const of = moves.length + 1;
  const done = assessed.length === of;
  const report = useMemo(() => reportOf(assessed, colourAt(tree.start, 0)), [assessed]);
  if (failed) return <p class="notice">{t("engine.failed")}</p>;
  return (
    <section class="report" aria-label={t("report.title")}>
      {!done && (
        <div class="report-progress">
          <progress max={of} value={assessed.length} aria-label={t("report.title")} />
          <small class="muted">{t("report.progress", { n: num(assessed.length), of: num(of) })}</small>
          <button type="button" class="button small" onClick={() => setStopped(!stopped)}>
            {t(stopped ? "report.on" : "report.stop")}
          </button>
        </div>
      )}
      <Graph report={report} moves={moves} ply={onMainLine(tree, at) ? at.length : null} onPly={(ply) => onGo(line.slice(0, ply))} />
      <Sides report={report} headers={tree.headers} />
      {(done || stopped) && <Turns tree={tree} report={report} moves={moves} onPly={(ply) => onGo(line.slice(0, ply))} />}
      {done && (
        <button type="button" class="button" onClick={() => onChange(annotated(tree, report, (fen, uci) => lineOf(tree.variant, fen, uci)), at)}>
          {t("report.write")}
        </button>
      )}
    </section>
  );
}

/** Asks the engine about one position after another, until all are done or somebody stops it. */
function useAssessed(tree: Tree, line: Path, moves: readonly Move[]) {
  const [assessed, setAssessed] = useState<readonly Assessed[]>([]);
  const [failed, setFailed] = useState(false);
  const [stopped, setStopped] = useState(false);
  const known = useRef<readonly Assessed[]>([]);
  useEffect(() => {
    if (stopped) return;
    const add = (next: Assessed) => {
      known.current = [...known.current, next];
      setAssessed(known.current);
      ask();
    };
    const engine = new Engine({
      onDone: (thought) => add({ score: thought?.lines[0]?.score ?? { kind: "cp", value: 0 }, best: thought?.lines[0]?.moves ?? [] }),
      onFail: () => setFailed(true),
    });
    const ask = () => {
      const ply = known.current.length;
      if (ply > moves.length) return engine.close();
      const fen = moves[ply - 1]?.fen ?? tree.start;
      const position = positionFrom(tree.variant, fen);
      const over = typeof position === "string" ? null : endOf(position);
      if (over) return add({ score: over.winner ? { kind: "mate", value: over.winner === "white" ? 1 : -1 } : { kind: "cp", value: 0 }, best: [] });
      engine.ask({ chess960: tree.variant === "chess960", start: tree.start, moves: line.slice(0, ply), black: colourAt(tree.start, ply) === "black", lines: 1, depth: DEPTH });
    };
    ask();
    return () => engine.close();
  }, [stopped]);
  return { assessed, failed, stopped, setStopped };
}

/** Whose move it is after so many half-moves. */
function colourAt(start: string, ply: number): Colour {
  return (start.split(" ")[1] === "b") === (ply % 2 === 0) ? "black" : "white";
}

interface GraphProps {
  report: Found;
  moves: readonly Move[];
  /** Where the board stands on the main line; null in a variation. */
  ply: number | null;
  onPly(ply: number): void;
}

/** White's chances move by move; a click, a drag or the arrow keys lead to the position. */
function Graph({ report: { percents, turns }, moves, ply, onPly }: GraphProps) {
  const last = moves.length;
  const points = percents.map((percent, index) => `${index},${100 - percent}`).join(" ");
  const now = ply === null ? undefined : percents[ply];
  const said = now === undefined ? "" : t("report.share", { n: num(Math.round(now)) });
  const left = (at: number) => ({ left: `${(100 * at) / last}%` });
  return (
    <div class="report-graph">
      <svg viewBox={`0 0 ${last} 100`} preserveAspectRatio="none" aria-hidden="true">
        {percents.length > 1 && <polygon points={`0,100 ${points} ${percents.length - 1},100`} />}
        <line x1="0" x2={last} y1="50" y2="50" vector-effect="non-scaling-stroke" />
      </svg>
      {turns.map((turn) => (
        <i key={turn.ply} class={`report-dot ${turn.judgement}`} style={{ ...left(turn.ply), top: `${100 - (percents[turn.ply] ?? 50)}%` }} />
      ))}
      {ply !== null && <i class="report-now" style={left(ply)} />}
      <input type="range" min={0} max={last} value={ply ?? last} aria-label={t("report.graph")} aria-valuetext={said} onInput={(event) => onPly(Number(event.currentTarget.value))} />
    </div>
  );
}

const COUNTS = ["inaccuracy", "mistake", "blunder"] as const;

function Sides({ report, headers }: { report: Found; headers: ReadonlyMap<string, string> }) {
  const name = (header: string, usual: string) => {
    const told = headers.get(header);
    return told && told !== "?" ? told : usual;
  };
  const accuracy = (side: Side) => (side.accuracy === null ? "–" : `${num(Math.round(side.accuracy))} %`);
  const { white, black } = report;
  return (
    <table class="report-sides">
      <thead>
        <tr>
          <td />
          <th scope="col">{name("White", t("study.white"))}</th>
          <th scope="col">{name("Black", t("study.black"))}</th>
        </tr>
      </thead>
      <tbody>
        <tr class="accuracy">
          <th scope="row">{t("report.accuracy")}</th>
          <td data-accuracy="white">{accuracy(white)}</td>
          <td data-accuracy="black">{accuracy(black)}</td>
        </tr>
        {COUNTS.map((kind) => (
          <tr key={kind}>
            <th scope="row">
              <i class={`report-key ${kind}`} aria-hidden="true" />
              {t(`report.${kind}`)}
            </th>
            <td>{num(white[kind])}</td>
            <td>{num(black[kind])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The moves that gave something away, each a way to its position. */
function Turns({ tree, report, moves, onPly }: { tree: Tree; report: Found; moves: readonly Move[]; onPly(ply: number): void }) {
  if (!report.turns.length) return <p class="muted small">{t("report.none")}</p>;
  const first = plyOf(tree.start);
  const show = (ply: number) => {
    onPly(ply);
    // On a phone the board may have been scrolled away.
    document.querySelector(".study-board")?.scrollIntoView({ block: "nearest" });
  };
  const line = (turn: Turn) => {
    const ply = first + turn.ply - 1;
    const better = sanOf(tree.variant, moves[turn.ply - 2]?.fen ?? tree.start, turn.best.slice(0, 1))[0];
    return (
      <li key={turn.ply}>
        <button type="button" class="report-turn" onClick={() => show(turn.ply)}>
          <i class={`report-key ${turn.judgement}`} aria-hidden="true" />
          <b>{`${numberOf(ply)}${ply % 2 ? "…" : "."} ${written(moves[turn.ply - 1]?.san ?? "", [NAG_OF[turn.judgement]])}`}</b>
          <span>
            {t(`report.one.${turn.judgement}`)}
            {better && `, ${t("report.better", { move: written(better) })}`}
          </span>
        </button>
      </li>
    );
  };
  return (
    <>
      <h2 class="report-head">{t("report.turns")}</h2>
      <ol class="report-turns">{report.turns.map(line)}</ol>
    </>
  );
}
