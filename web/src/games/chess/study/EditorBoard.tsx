import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "../../../app/live.ts";
import { boardTheme } from "../../../app/prefs.ts";
import { t, tryT } from "../../../i18n/index.ts";
import { Icon } from "../../../ui/Icon.tsx";
import { dressPieces } from "../art/sets.ts";
import { PieceArt } from "../PieceArt.tsx";
import { boardOf, placement, type Board } from "../position.ts";
import type { Colour } from "../types.ts";
import "chessground/assets/chessground.base.css";
import "../../../styles/chess-board.css";

const ROLES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" } as const;
type Letter = keyof typeof ROLES;
const LETTERS = Object.keys(ROLES) as Letter[];

/** What a tap on a square does: move pieces, clear the square, or put this piece there. */
type Tool = "move" | "clear" | string;

interface Props {
  board: Board;
  bottom: Colour;
  onChange(board: Board): void;
}

const pieceOf = (letter: string) => ({ role: ROLES[letter.toLowerCase() as Letter], color: letter === letter.toUpperCase() ? ("white" as const) : ("black" as const) });

export function pieceName(letter: string | undefined): string {
  if (!letter) return t("edit.empty");
  const colour = t(pieceOf(letter).color === "white" ? "chess.white" : "chess.black");
  return `${colour} ${tryT(`piece.${letter.toUpperCase()}`, letter)}`;
}

/** A board whose pieces go anywhere: by dragging, by tapping a piece and squares, or by keyboard. */
export function EditorBoard({ board, bottom, onChange }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [tool, setTool] = useState<Tool>("move");
  /** Whether a finger is on a piece that it has not begun to drag. */
  const touched = useRef(false);
  const latest = useRef({ onChange });
  latest.current = { onChange };
  useEffect(() => {
    void dressPieces();
    if (!element.current) return;
    const api = Chessground(element.current, {
      fen: placement(board),
      orientation: bottom,
      animation: { enabled: false },
      highlight: { lastMove: false, check: false },
      movable: { free: true, color: "both" },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true },
      drawable: { enabled: false },
      events: { change: () => latest.current.onChange(boardOf(api.getFen())) },
    });
    ground.current = api;
    return () => api.destroy();
  }, []);
  const shown = placement(board);
  // Before the next input: on a busy machine a drag can begin before the page is painted again.
  useLayoutEffect(() => {
    ground.current?.set({ fen: shown, orientation: bottom, turnColor: "white", movable: { color: tool === "move" ? "both" : undefined } });
  }, [shown, bottom, tool]);

  const put = (square: string, piece: Tool) => {
    const next = new Map(board);
    if (piece === "clear" || next.get(square) === piece) next.delete(square);
    else next.set(square, piece);
    onChange(next);
    say(`${square}: ${pieceName(next.get(square))}`);
  };
  const tap = (event: PointerEvent) => {
    if (tool === "move") return;
    const square = ground.current?.getKeyAtDomPos([event.clientX, event.clientY]);
    if (square) put(square, tool);
  };
  const palette = (colour: Colour) => (
    <div class="palette" role="group" aria-label={t(colour === "white" ? "edit.whitePieces" : "edit.blackPieces")}>
      {LETTERS.map((letter) => {
        const piece = colour === "white" ? letter.toUpperCase() : letter;
        const drag = (event: MouseEvent | TouchEvent) => ground.current?.dragNewPiece(pieceOf(piece), event, true);
        return (
          <button
            key={piece}
            type="button"
            class="palette-piece"
            aria-label={pieceName(piece)}
            aria-pressed={tool === piece}
            onMouseDown={drag}
            onTouchStart={() => void (touched.current = true)}
            onTouchMove={(event) => {
              // A drag that began with the touch itself would swallow the tap that chooses the piece.
              if (touched.current) drag(event);
              touched.current = false;
            }}
            onClick={() => setTool(tool === piece ? "move" : piece)}
          >
            <PieceArt piece={letter} white={colour === "white"} />
          </button>
        );
      })}
      <Extra colour={colour} tool={tool} onTool={setTool} bottom={bottom} />
    </div>
  );
  return (
    <div class="editor-board">
      {palette(bottom === "white" ? "black" : "white")}
      <div class="study-frame">
        <div class={`board board-${boardTheme.value}`} onPointerDownCapture={tap}>
          <div ref={element} class="cg-wrap" aria-hidden="true" />
          <Squares board={board} bottom={bottom} tool={tool} onPut={put} />
        </div>
      </div>
      {palette(bottom)}
    </div>
  );
}

/** Beside the near pieces the hand, beside the far ones the bin. */
function Extra({ colour, bottom, tool, onTool }: { colour: Colour; bottom: Colour; tool: Tool; onTool(tool: Tool): void }) {
  const [name, label, icon] = colour === bottom ? (["move", t("edit.move"), "hand"] as const) : (["clear", t("edit.remove"), "bin"] as const);
  return (
    <button type="button" class="palette-piece" aria-label={label} title={label} aria-pressed={tool === name} onClick={() => onTool(name)}>
      <Icon name={icon} />
    </button>
  );
}

const FILES = "abcdefgh";

/** The squares for keyboard and screen reader: arrows walk, a letter as in FEN puts a piece, Delete takes it away. */
function Squares({ board, bottom, tool, onPut }: { board: Board; bottom: Colour; tool: Tool; onPut(square: string, piece: Tool): void }) {
  const id = useId();
  const [cursor, setCursor] = useState("e4");
  const order = bottom === "white" ? 1 : -1;
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      const file = FILES.indexOf(cursor.charAt(0)) + order * (step[0] ?? 0);
      const rank = Number(cursor.charAt(1)) + order * (step[1] ?? 0);
      if (FILES[file] && rank > 0 && rank < 9) setCursor(`${FILES[file]}${rank}`);
    } else if (/^[kqrbnp]$/i.test(event.key)) onPut(cursor, event.key);
    else if (event.key === "Delete" || event.key === "Backspace") onPut(cursor, "clear");
    else if ((event.key === "Enter" || event.key === " ") && tool !== "move") onPut(cursor, tool);
    else return;
    event.preventDefault();
  };
  const files = bottom === "white" ? [...FILES] : [...FILES].reverse();
  const ranks = Array.from({ length: 8 }, (_, index) => (bottom === "white" ? 8 - index : index + 1));
  return (
    <div class="squares" role="grid" tabIndex={0} aria-label={t("edit.squares")} aria-activedescendant={id + cursor} onKeyDown={press}>
      {ranks.map((rank) => (
        <div key={rank} role="row">
          {files.map((file) => {
            const square = `${file}${rank}`;
            return <span key={file} id={id + square} role="gridcell" class={square === cursor ? "cursor" : undefined} aria-label={`${square} ${pieceName(board.get(square))}`} aria-selected={square === cursor} />;
          })}
        </div>
      ))}
    </div>
  );
}

