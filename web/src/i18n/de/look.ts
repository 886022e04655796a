import type { words as english } from "../en/look.ts";

export const words: Record<keyof typeof english, string> = {
  "pref.board": "Schachbrett",
  "board.walnut": "Nussbaum",
  "board.club": "Verein",
  "board.sea": "Meer",
  "board.slate": "Schiefer",
  "board.plum": "Pflaume",
  "pref.pieces": "Schachfiguren",
  "pieces.parlour": "Parlour",
  "pieces.classic": "Klassisch",
  "versus.title": "Schach gegen das Haus",
  "versus.level": "Spielstärke",
  "versus.rating": "Spielt etwa wie jemand mit Wertung {rating}",
  "versus.clock": "Bedenkzeit",
  "versus.noClock": "Ohne",
  "versus.white": "Weiß",
  "versus.random": "Zufall",
  "versus.black": "Schwarz",
};
