import { tryT, t } from "../../i18n/index.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { glyph } from "./pieces.ts";
import type { Colour } from "./types.ts";

const ORDER = ["q", "n", "r", "b", "k"];

interface Props {
  colour: Colour;
  /** What it may become: in antichess a king as well. */
  pieces: readonly string[];
  onChoose(piece: string): void;
  onClose(): void;
}

/** What the pawn becomes. */
export function Promotion({ colour, pieces, onChoose, onClose }: Props) {
  return (
    <Dialog title={t("chess.promote")} onClose={onClose}>
      <div class="promotion">
        {ORDER.filter((piece) => pieces.includes(piece)).map((piece) => (
          <button key={piece} type="button" class="button" aria-label={tryT(`piece.${piece.toUpperCase()}`, piece)} onClick={() => onChoose(piece)}>
            {glyph(piece, colour === "white")}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
