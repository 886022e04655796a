/** Positions as the page needs them: where pieces stand. Which moves are legal only the server says. */

export type Board = Map<string, string>;

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FILES = "abcdefgh";

/** Square → piece letter, capital for White. */
export function boardOf(fen: string): Board {
  const board: Board = new Map();
  const rows = (fen.split(" ")[0] ?? "").split("[")[0]?.split("/") ?? [];
  rows.forEach((row, index) => {
    let file = 0;
    for (const char of row.replaceAll("~", "")) {
      if (/\d/.test(char)) file += Number(char);
      else board.set(`${FILES[file++]}${8 - index}`, char);
    }
  });
  return board;
}

const isWhite = (piece: string): boolean => piece === piece.toUpperCase();

/** Whose move it is after so many moves. */
export function sideAt(start: string | null, ply: number): "white" | "black" {
  const first = (start ?? START).split(" ")[1] === "b" ? 1 : 0;
  return (first + ply) % 2 ? "black" : "white";
}

/** The board after a move that was legal: castling and en passant move or take a second piece, a drop brings one. */
export function after(board: Board, uci: string, white = true): Board {
  const next = new Map(board);
  if (uci[1] === "@") return next.set(uci.slice(2, 4), white ? uci.charAt(0).toUpperCase() : uci.charAt(0).toLowerCase());
  const [from, to, promotion] = [uci.slice(0, 2), uci.slice(2, 4), uci.slice(4)];
  const piece = next.get(from);
  if (!piece) return next;
  next.delete(from);
  const target = next.get(to);
  if (piece.toLowerCase() === "k" && target && target.toLowerCase() === "r" && isWhite(target) === isWhite(piece)) {
    // Castling as Chess960 writes it: the king takes its own rook.
    const short = FILES.indexOf(to[0] ?? "") > FILES.indexOf(from[0] ?? "");
    next.delete(to);
    next.set(`${short ? "g" : "c"}${from[1]}`, piece);
    next.set(`${short ? "f" : "d"}${from[1]}`, target);
    return next;
  }
  const pawn = piece.toLowerCase() === "p";
  if (pawn && from[0] !== to[0] && !next.has(to)) next.delete(`${to[0]}${from[1]}`);
  if (piece.toLowerCase() === "k" && Math.abs(FILES.indexOf(from[0] ?? "") - FILES.indexOf(to[0] ?? "")) === 2) {
    const short = to[0] === "g";
    const rook = `${short ? "h" : "a"}${from[1]}`;
    const standing = next.get(rook);
    next.delete(rook);
    if (standing) next.set(`${short ? "f" : "d"}${from[1]}`, standing);
  }
  next.set(to, promotion ? (isWhite(piece) ? promotion.toUpperCase() : promotion) : piece);
  return next;
}

/** The first field of a FEN. */
export function placement(board: Board): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank--) {
    let row = "";
    let gap = 0;
    for (const file of FILES) {
      const piece = board.get(`${file}${rank}`);
      if (!piece) gap++;
      else {
        row += (gap || "") + piece;
        gap = 0;
      }
    }
    rows.push(row + (gap || ""));
  }
  return rows.join("/");
}

export function boardAt(start: string | null, moves: readonly string[], ply: number): Board {
  return moves.slice(0, ply).reduce((board, uci, index) => after(board, uci, sideAt(start, index) === "white"), boardOf(start ?? START));
}

/** The pieces that a colour has in hand in a game with drops, as the position says: letter → how many; null without drops. */
export function pocketOf(fen: string, white: boolean): ReadonlyMap<string, number> | null {
  const held = /\[(\w*)\]/.exec(fen)?.[1];
  if (held === undefined) return null;
  const pocket = new Map<string, number>();
  for (const piece of held) if (isWhite(piece) === white) pocket.set(piece.toUpperCase(), (pocket.get(piece.toUpperCase()) ?? 0) + 1);
  return pocket;
}

const VALUES: Record<string, number> = { q: 9, r: 5, b: 3, n: 3, p: 1 };

/** The pieces of a colour that are no longer on the board, the dearest first. */
export function captured(board: Board, start: string | null, white: boolean): string[] {
  const counts = new Map<string, number>();
  const own = (piece: string) => isWhite(piece) === white;
  for (const piece of boardOf(start ?? START).values()) if (own(piece)) counts.set(piece.toLowerCase(), (counts.get(piece.toLowerCase()) ?? 0) + 1);
  for (const piece of board.values()) if (own(piece)) counts.set(piece.toLowerCase(), (counts.get(piece.toLowerCase()) ?? 0) - 1);
  return ["q", "r", "b", "n", "p"].flatMap((piece) => Array<string>(Math.max(0, counts.get(piece) ?? 0)).fill(piece));
}

/** How many pawns' worth White is ahead. */
export function balance(board: Board): number {
  let sum = 0;
  for (const piece of board.values()) sum += (VALUES[piece.toLowerCase()] ?? 0) * (isWhite(piece) ? 1 : -1);
  return sum;
}

/** The legal move that somebody typed, in SAN ('Nf3', 'exd5', 'O-O') or UCI ('g1f3'); null if it is none or several. */
export function readMove(text: string, board: Board, legal: readonly string[]): string | null {
  if (legal.includes(text.trim())) return text.trim();
  const typed = text.trim().replace(/[+#!?]/g, "").replaceAll("0", "O");
  const plain = typed.toLowerCase().replaceAll(/[-x=\s]/g, "");
  if (legal.includes(plain)) return plain;
  if (/^o-?o(-?o)?$/i.test(typed)) {
    const file = plain.length === 3 ? "c" : "g";
    return legal.find((move) => board.get(move.slice(0, 2))?.toLowerCase() === "k" && /^e[18]/.test(move) && move[2] === file) ?? null;
  }
  const parts = /^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])=?([QRBNqrbn]?)$/.exec(typed);
  if (!parts) return null;
  const [, piece, file, rank, to, promotion] = parts;
  const found = legal.filter(
    (move) =>
      move.slice(2, 4) === to &&
      board.get(move.slice(0, 2))?.toLowerCase() === (piece || "p").toLowerCase() &&
      (!file || move[0] === file) &&
      (!rank || move[1] === rank) &&
      (move[4] ?? "") === (promotion ? promotion.toLowerCase() : move[4] ? "q" : ""),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}
