/** How pieces are drawn beside the board. */
export const GLYPHS: Readonly<Record<string, string>> = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };

const OUTLINES: Readonly<Record<string, string>> = { k: "♔", q: "♕", r: "♖", b: "♗", n: "♘", p: "♙" };

/** A piece as it is drawn for its colour. */
export function glyph(piece: string, white: boolean): string {
  return (white ? OUTLINES : GLYPHS)[piece.toLowerCase()] ?? piece;
}

/** What chessground calls the pieces that can be in hand. */
export const ROLES = { Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" } as const;
export type InHand = keyof typeof ROLES;
