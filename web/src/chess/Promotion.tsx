import { tryT, t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import type { Colour } from "./types.ts";

const PIECES = ["q", "n", "r", "b"] as const;
const GLYPHS = { white: { q: "♕", n: "♘", r: "♖", b: "♗" }, black: { q: "♛", n: "♞", r: "♜", b: "♝" } };

/** What the pawn becomes. */
export function Promotion({ colour, onChoose, onClose }: { colour: Colour; onChoose(piece: string): void; onClose(): void }) {
  return (
    <Dialog title={t("chess.promote")} onClose={onClose}>
      <div class="promotion">
        {PIECES.map((piece) => (
          <button key={piece} type="button" class="button" aria-label={tryT(`piece.${piece.toUpperCase()}`, piece)} onClick={() => onChoose(piece)}>
            {GLYPHS[colour][piece]}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
