/** Addresses of the analysis board and the board editor. */

export interface Place {
  variant: string;
  /** The position at the start, in FEN; null for the usual one. */
  start: string | null;
  /** In UCI. */
  moves?: readonly string[];
}

function address(page: string, { variant, start, moves = [] }: Place): string {
  const query = new URLSearchParams();
  if (variant !== "standard") query.set("variant", variant);
  if (start) query.set("fen", start);
  if (moves.length) query.set("moves", moves.join(","));
  const text = query.toString();
  return text ? `/${page}?${text}` : `/${page}`;
}

export const analysisLink = (place: Place): string => address("analysis", place);

export const editorLink = (place: Omit<Place, "moves">): string => address("editor", place);
