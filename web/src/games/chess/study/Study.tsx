import type { Api } from "chessground/api";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { say } from "../../../app/live.ts";
import { textTable } from "../../../app/prefs.ts";
import { loadWords, t } from "../../../i18n/index.ts";
import { Icon } from "../../../ui/Icon.tsx";
import { lazy } from "../../../ui/Lazy.tsx";
import type { AnalysisProps } from "../Analysis.tsx";
import { Ground } from "../Ground.tsx";
import { MoveInput } from "../MoveInput.tsx";
import { ROLES, type InHand } from "../pieces.ts";
import { Pocket } from "../Pocket.tsx";
import { pocketOf, positionOf } from "../position.ts";
import type { Promotion as PromotionType } from "../Promotion.tsx";
import type { TextBoard as TextBoardType } from "../TextBoard.tsx";
import { engineKnows, other, type Colour } from "../types.ts";
import { ending } from "../words.ts";
import type { EngineLine } from "./score.ts";
import { EvalBar } from "./EvalBar.tsx";
import { endOf, legalMoves, play, positionFrom } from "./rules.ts";
import type { NoteProps } from "./Note.tsx";
import type { OpeningNameProps } from "./OpeningName.tsx";
import type { Chapter } from "./pgn.ts";
import type { ReportProps } from "./Report.tsx";
import type { StudyFilesProps } from "./StudyFiles.tsx";
import { add, moveAt, onMainLine, promote, remove, type Path, type Tree } from "./tree.ts";
import { Variations } from "./Variations.tsx";
import { spoken } from "./written.ts";
import "../../../styles/chess-moves.css";
import "../../../styles/chess-study.css";
import "../../../styles/chess-notes.css";

// What is seldom shown is fetched when it is.
const Promotion = lazy<Parameters<typeof PromotionType>[0]>(async () => (await import("../Promotion.tsx")).Promotion);
const TextBoard = lazy<Parameters<typeof TextBoardType>[0]>(async () => (await import("../TextBoard.tsx")).TextBoard);
const StudyFiles = lazy<StudyFilesProps>(async () => {
  const [files] = await Promise.all([import("./StudyFiles.tsx"), loadWords("files")]);
  return files.StudyFiles;
});
const Note = lazy<NoteProps>(async () => {
  const [note] = await Promise.all([import("./Note.tsx"), loadWords("files")]);
  return note.Note;
});
const OpeningName = lazy<OpeningNameProps>(async () => (await import("./OpeningName.tsx")).OpeningName, true);
const Report = lazy<ReportProps>(async () => {
  const [report] = await Promise.all([import("./Report.tsx"), loadWords("report")]);
  return report.Report;
});
const Analysis = lazy<AnalysisProps>(async () => (await import("../Analysis.tsx")).Analysis);

interface Props {
  tree: Tree;
  at: Path;
  onChange(tree: Tree, at: Path): void;
  /** How the game ended that is looked at. */
  result?: string | undefined;
  /** What stands above the moves, or above the board where there is no room beside it. */
  head?: ComponentChildren;
  /** Puts other games in the place of this one, where that may be. */
  onImport?: ((games: readonly Chapter[]) => void) | undefined;
  /** Every game of the file that was imported, where there are several. */
  allGames?: (() => readonly Tree[]) | undefined;
}

/** A board on which every legal move may be tried: moves become lines and variations, and an engine may look on. */
export function Study({ tree, at, onChange, result, head, onImport, allGames }: Props) {
  const { variant } = tree;
  const move = moveAt(tree, at);
  const fen = move?.fen ?? tree.start;
  const position = useMemo(() => positionFrom(variant, fen), [variant, fen]);
  const legal = useMemo(() => (typeof position === "string" ? [] : legalMoves(position, variant)), [position]);
  const [bottom, setBottom] = useState<Colour>("white");
  const [promoting, setPromoting] = useState<[string, string] | null>(null);
  const [held, setHeld] = useState<string | null>(null);
  const [thinking, setThinking] = useState(false);
  const [best, setBest] = useState<EngineLine | null>(null);
  // Whoever comes to an empty board may have a game to bring.
  const [empty] = useState(onImport !== undefined && !tree.children.length);
  const [reporting, setReporting] = useState(false);
  const ground = useRef<Api | null>(null);
  const turn: Colour = fen.split(" ")[1] === "b" ? "black" : "white";
  const over = typeof position === "string" ? null : endOf(position);
  const knows = engineKnows(variant);
  const standing = positionOf(fen);

  const go = (path: Path) => {
    onChange(tree, path);
    const next = moveAt(tree, path);
    say(next ? spoken(next.san, next.nags) : t("study.start"));
  };
  const make = (uci: string) => {
    setHeld(null);
    const played = typeof position === "string" ? null : play(position, variant, uci);
    if (!played) return say(t("chess.notLegal", { move: uci }));
    onChange(add(tree, at, played.move), [...at, played.move.uci]);
    say(spoken(played.move.san));
  };
  const moved = (from: string, to: string) => {
    const choices = legal.filter((uci) => uci.startsWith(from + to));
    if (choices.length > 1) setPromoting([from, to]);
    else if (choices[0]) make(choices[0]);
  };
  const flip = () => setBottom(other(bottom));
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target as Element).closest("input, select, textarea, dialog")) flip();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });

  const side = (colour: Colour) => {
    const pieces = pocketOf(standing, colour === "white");
    const name = tree.headers.get(colour === "white" ? "White" : "Black");
    const mine = colour === turn;
    const drops = new Set(mine ? legal.filter((uci) => uci[1] === "@").map((uci) => uci.charAt(0)) : []);
    const drag = (piece: string, event: MouseEvent | TouchEvent) => ground.current?.dragNewPiece({ role: ROLES[piece as InHand], color: colour }, event);
    return (
      <div class="study-name">
        <span class={`stone ${colour}`} aria-hidden="true" />
        <span class="ellipsis">{name && name !== "?" ? name : t(colour === "white" ? "study.white" : "study.black")}</span>
        {mine && !over && <span class="badge">{t("study.toMove")}</span>}
        {pieces && <Pocket white={colour === "white"} pieces={pieces} droppable={drops} held={mine ? held : null} onHold={setHeld} onDrag={drag} />}
      </div>
    );
  };
  const aside = !onMainLine(tree, at);
  return (
    <section class="study" aria-label={t("study.label")}>
      {head}
      <div class="study-board">
        {side(other(bottom))}
        <div class="study-frame">
          {knows && <EvalBar best={thinking ? best : null} bottom={bottom} />}
          <div class="study-squares">
            {textTable.value ? (
              <TextBoard board={standing.board} orientation={bottom} />
            ) : (
              <Ground
                placement={fen.split(/[ [\]]/)[0] ?? ""}
                orientation={bottom}
                turn={turn}
                lastMove={move?.uci}
                check={/[+#]$/.test(move?.san ?? "") || (typeof position !== "string" && position.isCheck())}
                moves={legal}
                side={over ? null : turn}
                ply={at.length}
                arrow={thinking ? best?.moves[0] : undefined}
                onMove={moved}
                onSelect={(square) => held && make(`${held}@${square}`)}
                onDrop={(piece, square) => make(`${piece}@${square}`)}
                variant={variant}
                api={ground}
              />
            )}
            {promoting && (
              <Promotion
                square={promoting[1]}
                orientation={bottom}
                colour={turn}
                pieces={legal.filter((uci) => uci.startsWith(promoting.join(""))).map((uci) => uci.charAt(4))}
                onClose={() => setPromoting(null)}
                onChoose={(piece) => {
                  setPromoting(null);
                  make(promoting.join("") + piece);
                }}
              />
            )}
          </div>
        </div>
        {side(bottom)}
      </div>
      <div class="study-side">
        <div class="study-tools" role="group" aria-label={t("study.tools")}>
          {knows && (
            <button type="button" class="button" aria-pressed={thinking} onClick={() => setThinking(!thinking)}>
              <Icon name="engine" />
              {t("study.engine")}
            </button>
          )}
          <button type="button" class="button" onClick={flip}>
            <Icon name="flip" />
            {t("study.flip")}
          </button>
          {knows && (
            <button type="button" class="button" aria-expanded={reporting} onClick={() => setReporting(!reporting)}>
              <Icon name="log" />
              {t("study.report")}
            </button>
          )}
        </div>
        {!knows && <p class="muted small">{t("study.noEngine")}</p>}
        {thinking && knows && (
          <Analysis variant={variant} start={tree.start} moves={at} turn={turn} fen={fen} onBest={setBest} onPlay={make} />
        )}
        {reporting && knows && <Report tree={tree} at={at} onGo={go} onChange={onChange} />}
        {variant === "standard" && (
          <div class="opening-line">
            <OpeningName tree={tree} at={at} />
          </div>
        )}
        {result && <p class="result-line">{result}</p>}
        {over && !result && <p class="result-line">{ending(over.winner, over.reason, { variant })}</p>}
        <Variations tree={tree} at={at} onGo={go} />
        <div class="study-tools" role="group" aria-label={t("study.variation")}>
          <button type="button" class="button" disabled={!aside} onClick={() => onChange(promote(tree, at), at)}>
            {t("study.promote")}
          </button>
          <button type="button" class="button" disabled={!at.length} onClick={() => onChange(remove(tree, at), at.slice(0, -1))}>
            {t("study.delete")}
          </button>
        </div>
        <MoveInput board={standing.board} legal={legal} onMove={make} />
        {move && (
          <details class="study-more">
            <summary>{t("study.note")}</summary>
            <Note key={at.join()} tree={tree} at={at} move={move} onChange={onChange} />
          </details>
        )}
        <StudyFiles tree={tree} at={at} fen={fen} first={empty} onImport={onImport} allGames={allGames} />
      </div>
    </section>
  );
}
