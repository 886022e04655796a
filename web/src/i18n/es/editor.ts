import type { words as en } from "../en/editor.ts";

/** The words of the board editor. */
export const words: Record<keyof typeof en, string> = {
  "edit.empty": "vacía",
  "edit.whitePieces": "Piezas blancas",
  "edit.blackPieces": "Piezas negras",
  "edit.move": "Mover piezas",
  "edit.remove": "Quitar piezas",
  "edit.squares": "Casillas: las flechas mueven, una letra coloca una pieza (K, Q, R, B, N, P; mayúscula para blancas), Supr la quita",
  "edit.turn": "Turno",
  "edit.castling": "Derechos de enroque",
  "edit.castling.K": "Blancas O-O",
  "edit.castling.Q": "Blancas O-O-O",
  "edit.castling.k": "Negras O-O",
  "edit.castling.q": "Negras O-O-O",
  "edit.passing": "Al paso",
  "edit.passing.none": "ninguna",
  "edit.start": "Posición inicial",
  "edit.clear": "Vaciar el tablero",
  "edit.analyse": "Analizar",
  "edit.friend": "Jugar con un amigo",
  "edit.house": "Jugar contra la casa",
  "edit.side": "Tu bando, el de abajo: {colour}.",
  "edit.valid": "Posición legal",
  "edit.over": "En esta posición la partida ya ha terminado.",
};
