/** What chessground calls the pieces that can be in hand. */
export const ROLES = { Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" } as const;
export type InHand = keyof typeof ROLES;

/** The class of a piece by its letter, whatever its case. */
export function roleOf(letter: string): string {
  const capital = letter.toUpperCase();
  return capital === "K" ? "king" : (ROLES[capital as InHand] ?? "");
}
