import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Key } from "chessground/types";
import { useEffect, useRef } from "preact/hooks";
import { boardTheme } from "../../app/prefs.ts";
import { dressPieces } from "./art/sets.ts";
import { DrawLayer } from "./DrawLayer.tsx";
import { ROLES, type InHand } from "./pieces.ts";
import type { Colour } from "./types.ts";
import "chessground/assets/chessground.base.css";
import "../../styles/chess-board.css";

export interface GroundProps {
  placement: string;
  orientation: Colour;
  turn: Colour;
  lastMove: string | undefined;
  check: boolean;
  /** Legal moves in UCI, where one may move. */
  moves: readonly string[];
  /** Whose pieces may be moved now or ahead; null to look only. */
  side: Colour | null;
  /** Which turn a premove would answer: when another comes, the premove is void. */
  ply: number;
  arrow?: string | undefined;
  /** The variant, where its rules name squares that are worth marking. */
  variant?: string;
  /** Whether a finger draws arrows and circles instead of moving pieces. */
  drawing?: boolean;
  onMove(from: string, to: string, premove: boolean): void;
  /** A square was tapped. */
  onSelect?(square: string): void;
  /** A piece in hand was put on a square. */
  onDrop?(piece: InHand, square: string): void;
  /** The board itself, for a piece that is dragged onto it. */
  api?: { current: Api | null };
}

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** The board itself: dragging, tapping, premoves, last move, check, arrows and circles, drawn by chessground. */
export function Ground(props: GroundProps) {
  const frame = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const premove = useRef<{ ply: number } | null>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    void dressPieces();
    if (!element.current) return;
    const api = Chessground(element.current, {
      coordinates: true,
      animation: { enabled: !reduced.matches, duration: 200 },
      movable: {
        free: false,
        events: {
          after: (from, to, how) => latest.current.onMove(from, to, how.premove),
          afterNewPiece: (role, square) => {
            const piece = (Object.keys(ROLES) as InHand[]).find((letter) => ROLES[letter] === role);
            // The piece lies there only when the server says so.
            api.set({ fen: piecesOf(latest.current.placement) });
            if (piece) latest.current.onDrop?.(piece, square);
          },
        },
      },
      events: { select: (square) => latest.current.onSelect?.(square) },
      premovable: {
        events: {
          set: () => void (premove.current = { ply: latest.current.ply }),
          unset: () => void (premove.current = null),
        },
      },
      drawable: { enabled: true },
    });
    ground.current = api;
    if (props.api) props.api.current = api;
    return () => api.destroy();
  }, []);

  useEffect(() => {
    const api = ground.current;
    if (!api) return;
    const { placement, orientation, turn, lastMove, check, side, moves, arrow } = props;
    const fen = piecesOf(placement);
    api.set({
      // A position that is set anew interrupts a drag and wipes out what was drawn.
      ...(fen !== api.getFen() && { fen }),
      orientation,
      turnColor: turn,
      check: check ? turn : false,
      lastMove: lastMove ? squares(lastMove) : [],
      movable: { color: side ?? undefined, dests: destinations(moves) },
      premovable: { enabled: side !== null && side !== turn },
      draggable: { enabled: side !== null },
      selectable: { enabled: side !== null },
    });
    const [orig, dest] = arrow ? squares(arrow) : [];
    api.setAutoShapes(orig ? [{ orig, ...(dest && { dest }), brush: "paleBlue" }] : []);
    const ahead = premove.current;
    if (ahead && ahead.ply + 1 === props.ply && side === turn) api.playPremove();
    else if (ahead && ahead.ply !== props.ply) api.cancelPremove();
    if (frame.current) frame.current.dataset.fen = api.getFen();
  });
  // What was drawn belongs to the position in which it was drawn.
  useEffect(() => ground.current?.setShapes([]), [props.placement, props.orientation]);

  const zone = props.variant === "king_of_the_hill" ? " zone-hill" : props.variant === "racing_kings" ? ` zone-race ${props.orientation}` : "";
  return (
    <div ref={frame} class={`board board-${boardTheme.value}${zone}`} data-spot="board" data-turn={props.turn}>
      <div ref={element} class="cg-wrap" aria-hidden="true" />
      {props.drawing && <DrawLayer api={ground} />}
    </div>
  );
}

/** A placement without what chessground does not draw: pieces in hand, marks of promoted ones. */
function piecesOf(placement: string): string {
  return placement.replaceAll(/\[.*\]|~/g, "");
}

/** The squares that a move touches: of a drop, the one where the piece comes to lie. */
function squares(uci: string): Key[] {
  if (uci[1] === "@") return [uci.slice(2, 4) as Key];
  return [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
}

function destinations(moves: readonly string[]): Map<Key, Key[]> {
  const all = new Map<Key, Key[]>();
  for (const move of moves) {
    if (move.includes("@")) continue; // What may be dropped is said beside the board.
    const [from, to] = squares(move) as [Key, Key];
    all.set(from, [...(all.get(from) ?? []), to]);
  }
  return all;
}
