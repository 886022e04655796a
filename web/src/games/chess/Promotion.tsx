import { useEffect, useRef } from "preact/hooks";
import { t, tryT } from "../../i18n/index.ts";
import { PieceArt } from "./PieceArt.tsx";
import type { Colour } from "./types.ts";

const ORDER = ["q", "n", "r", "b", "k"];

interface Props {
  /** Where the pawn arrives. */
  square: string;
  orientation: Colour;
  colour: Colour;
  /** What it may become: in antichess a king as well. */
  pieces: readonly string[];
  onChoose(piece: string): void;
  onClose(): void;
}

/** What the pawn becomes: asked over the board, on the file where it arrives, the queen under the finger. */
export function Promotion({ square, orientation, colour, pieces, onChoose, onClose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  const file = square.charCodeAt(0) - "a".charCodeAt(0);
  const column = orientation === "white" ? file : 7 - file;
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") return onClose();
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const buttons = Array.from(list.current?.querySelectorAll("button") ?? []);
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div class="promotion" role="dialog" aria-label={t("chess.promote")} onKeyDown={press} onClick={onClose}>
      <div ref={list} class={colour === orientation ? "promotion-file" : "promotion-file far"} style={{ left: `${12.5 * column}%` }}>
        {ORDER.filter((piece) => pieces.includes(piece)).map((piece) => (
          <button
            key={piece}
            type="button"
            aria-label={tryT(`piece.${piece.toUpperCase()}`, piece)}
            onClick={(event) => {
              event.stopPropagation();
              onChoose(piece);
            }}
          >
            <PieceArt piece={piece} white={colour === "white"} />
          </button>
        ))}
      </div>
    </div>
  );
}
