import { roleOf } from "./pieces.ts";

/** A piece beside the board, in the set that the board is drawn with. */
export function PieceArt({ piece, white }: { piece: string; white: boolean }) {
  return <span class={`piece-art ${white ? "white" : "black"} ${roleOf(piece)}`} aria-hidden="true" />;
}
