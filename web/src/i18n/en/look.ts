/** How the chess board looks, and the choice of a game against the house. */
export const words = {
  "pref.board": "Chess board",
  "board.walnut": "Walnut",
  "board.club": "Club",
  "board.sea": "Sea",
  "board.slate": "Slate",
  "board.plum": "Plum",
  "pref.pieces": "Chess pieces",
  "pieces.parlour": "Parlour",
  "pieces.classic": "Classic",
  "versus.title": "Chess against the house",
  "versus.level": "Level",
  "versus.clock": "Clock",
  "versus.noClock": "None",
  "versus.white": "White",
  "versus.random": "Random",
  "versus.black": "Black",
};
