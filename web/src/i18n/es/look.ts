import type { words as english } from "../en/look.ts";

export const words: Record<keyof typeof english, string> = {
  "pref.board": "Tablero de ajedrez",
  "board.walnut": "Nogal",
  "board.club": "Club",
  "board.sea": "Mar",
  "board.slate": "Pizarra",
  "board.plum": "Ciruela",
  "pref.pieces": "Piezas de ajedrez",
  "pieces.parlour": "Parlour",
  "pieces.classic": "Clásicas",
  "versus.title": "Ajedrez contra la casa",
  "versus.level": "Nivel",
  "versus.rating": "Juega más o menos como alguien de {rating} puntos",
  "versus.clock": "Reloj",
  "versus.noClock": "Sin reloj",
  "versus.white": "Blancas",
  "versus.random": "Al azar",
  "versus.black": "Negras",
};
