import { useRef } from "preact/hooks";
import { t, tryT } from "../../i18n/index.ts";
import { PieceArt } from "./PieceArt.tsx";

/** How many pixels a finger may move in a tap. */
const SLACK = 8;
const ORDER = ["P", "N", "B", "R", "Q"] as const;

interface Props {
  /** Whose they are. */
  white: boolean;
  /** Letter → how many. */
  pieces: ReadonlyMap<string, number>;
  /** Letters that may be dropped now. */
  droppable?: ReadonlySet<string>;
  /** The piece that the next square tapped gets. */
  held?: string | null;
  onHold?(piece: string | null): void;
  onDrag?(piece: string, event: MouseEvent | TouchEvent): void;
}

/** The pieces in hand, each in its own place: tap one and then a square, or drag it onto the board. */
export function Pocket({ white, pieces, droppable, held, onHold, onDrag }: Props) {
  const finger = useRef<Touch | null>(null);
  // A drag swallows the tap, so a finger drags only once it has moved.
  const stroke = (piece: string, event: TouchEvent) => {
    const [from, now] = [finger.current, event.touches[0]];
    if (!from || !now || Math.hypot(now.clientX - from.clientX, now.clientY - from.clientY) < SLACK) return;
    finger.current = null;
    onDrag?.(piece, event);
  };
  return (
    <span class="pocket" role="group" aria-label={t("chess.pocket")}>
      {ORDER.map((piece) => {
        const count = pieces.get(piece) ?? 0;
        return (
          <button
            key={piece}
            type="button"
            class={`in-hand${held === piece ? " on" : ""}${count ? "" : " none"}`}
            aria-label={`${tryT(`piece.${piece}`, piece)} × ${count}`}
            aria-pressed={held === piece}
            disabled={!droppable?.has(piece)}
            onMouseDown={(event) => onDrag?.(piece, event)}
            onTouchStart={(event) => void (finger.current = event.touches[0] ?? null)}
            onTouchMove={(event) => stroke(piece, event)}
            onClick={() => onHold?.(held === piece ? null : piece)}
          >
            <PieceArt piece={piece} white={white} />
            {count > 0 && <small aria-hidden="true">{count}</small>}
          </button>
        );
      })}
    </span>
  );
}
