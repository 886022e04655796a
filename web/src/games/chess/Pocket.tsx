import { t, tryT } from "../../i18n/index.ts";
import { glyph } from "./pieces.ts";

const ORDER = ["Q", "R", "B", "N", "P"] as const;

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

/** The pieces in hand: tap one and then a square, or drag it onto the board. */
export function Pocket({ white, pieces, droppable, held, onHold, onDrag }: Props) {
  return (
    <span class="pocket" role="group" aria-label={t("chess.pocket")}>
      {ORDER.filter((piece) => pieces.has(piece)).map((piece) => {
        const name = tryT(`piece.${piece}`, piece);
        const count = pieces.get(piece) ?? 0;
        return (
          <button
            key={piece}
            type="button"
            class={held === piece ? "in-hand on" : "in-hand"}
            aria-label={`${name} × ${count}`}
            aria-pressed={held === piece}
            disabled={!droppable?.has(piece)}
            onMouseDown={(event) => onDrag?.(piece, event)}
            onTouchStart={(event) => onDrag?.(piece, event)}
            onClick={() => onHold?.(held === piece ? null : piece)}
          >
            <i aria-hidden="true">{glyph(piece, white)}</i>
            <small aria-hidden="true">{count}</small>
          </button>
        );
      })}
      {!pieces.size && <small class="muted">{t("chess.pocketEmpty")}</small>}
    </span>
  );
}
