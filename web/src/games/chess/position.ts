/** Positions as the page needs them: where pieces stand. Which moves are legal only the server says. */

export type Board = Map<string, string>;

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FILES = "abcdefgh";

/** What lies on the table. */
export interface Position {
  /** Square → piece letter, capital for White. */
  board: Board;
  /** Letters of the pieces in hand, capital for White's; null in a game without drops. */
  held: string | null;
  /** The squares of pieces that were pawns: in a game with drops they are pawns again when they are taken. */
  promoted: ReadonlySet<string>;
}

export function positionOf(fen: string): Position {
  const board: Board = new Map();
  const promoted = new Set<string>();
  const [, pieces = "", held = null] = /^([^ [\]]*)(?:\[(\w*)\])?/.exec(fen) ?? [];
  pieces.split("/").forEach((row, index) => {
    let file = 0;
    for (const char of row) {
      if (char === "~") promoted.add(`${FILES[file - 1]}${8 - index}`);
      else if (/\d/.test(char)) file += Number(char);
      else board.set(`${FILES[file++]}${8 - index}`, char);
    }
  });
  return { board, held, promoted };
}

export const boardOf = (fen: string): Board => positionOf(fen).board;

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

/** The position after so many moves, which were legal, by the rules of the variant. */
export function positionAt(variant: string, start: string | null, moves: readonly string[], ply: number): Position {
  return moves.slice(0, ply).reduce((position, uci, index) => played(position, uci, sideAt(start, index) === "white", variant), positionOf(start ?? START));
}

function played({ board, held, promoted }: Position, uci: string, white: boolean, variant: string): Position {
  const moved = after(board, uci, white);
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const gone = [...board].filter(([square, piece]) => isWhite(piece) !== white && (square === to || !moved.has(square)));
  if (variant === "atomic" && gone.length) for (const square of around(to)) if (square === to || moved.get(square)?.toLowerCase() !== "p") moved.delete(square);
  if (held === null) return { board: moved, held, promoted };
  if (uci[1] === "@") return { board: moved, held: held.replace(white ? uci.charAt(0).toUpperCase() : uci.charAt(0).toLowerCase(), ""), promoted };
  const taken = gone.map(([square, piece]) => (promoted.has(square) ? "p" : piece.toLowerCase())).join("");
  const pawns = new Set([...promoted].filter((square) => square !== from && square !== to));
  if (uci[4] || promoted.has(from)) pawns.add(to);
  return { board: moved, held: held + (white ? taken.toUpperCase() : taken), promoted: pawns };
}

/** A square and those that touch it. */
function around(square: string): string[] {
  const [file, rank] = [FILES.indexOf(square.charAt(0)), Number(square.charAt(1))];
  return [-1, 0, 1].flatMap((east) => [-1, 0, 1].map((north) => `${FILES[file + east]}${rank + north}`));
}

/** The pieces that a colour has in hand in a game with drops: letter → how many; null without drops. */
export function pocketOf({ held }: Position, white: boolean): ReadonlyMap<string, number> | null {
  if (held === null) return null;
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
  // More of a kind than at the start: those were pawns, which nobody has captured.
  const promoted = [...counts.values()].reduce((sum, count) => sum + Math.max(0, -count), 0);
  counts.set("p", (counts.get("p") ?? 0) - promoted);
  return ["q", "r", "b", "n", "p"].flatMap((piece) => Array<string>(Math.max(0, counts.get(piece) ?? 0)).fill(piece));
}

/** How many pawns' worth White is ahead. */
export function balance(board: Board): number {
  let sum = 0;
  for (const piece of board.values()) sum += (VALUES[piece.toLowerCase()] ?? 0) * (isWhite(piece) ? 1 : -1);
  return sum;
}

/** Whether a legal move castles: the king goes two squares, or, as Chess960 writes it, takes its own rook. */
function castles(board: Board, move: string): boolean {
  const [king, target] = [board.get(move.slice(0, 2)), board.get(move.slice(2, 4))];
  if (king?.toLowerCase() !== "k") return false;
  return Math.abs(FILES.indexOf(move.charAt(0)) - FILES.indexOf(move.charAt(2))) > 1 || (target !== undefined && isWhite(target) === isWhite(king));
}

/** The legal move that somebody typed, in SAN ('Nf3', 'exd5', 'O-O') or UCI ('g1f3'); null if it is none or several. */
export function readMove(text: string, board: Board, legal: readonly string[]): string | null {
  if (legal.includes(text.trim())) return text.trim();
  const typed = text.trim().replace(/[+#!?]/g, "").replaceAll("0", "O");
  const plain = typed.toLowerCase().replaceAll(/[-x=\s]/g, "");
  if (legal.includes(plain)) return plain;
  if (/^o-?o(-?o)?$/i.test(typed)) return legal.find((move) => castles(board, move) && (move.charAt(2) > move.charAt(0)) === (plain.length === 2)) ?? null;
  const drop = /^([PNBRQ]?)@([a-h][1-8])$/i.exec(typed);
  if (drop) return legal.find((move) => move === `${(drop[1] || "P").toUpperCase()}@${drop[2]}`) ?? null;
  const parts = /^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])=?([KQRBNkqrbn]?)$/.exec(typed);
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
