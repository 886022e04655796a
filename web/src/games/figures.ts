/** What the statistics of a game are made of, for the pages that show them. */
export interface FiguresOfGame {
  /** The figures, the most telling first. */
  order: readonly string[];
  /** Those that a small table has room for. */
  columns: readonly string[];
  /** Whether chips are won and lost; otherwise games are, and ratings with them. */
  chips: boolean;
}

const FIGURES: Record<string, FiguresOfGame> = {
  holdem: {
    order: ["bb_per_100", "adjusted_bb_per_100", "vpip", "pfr", "three_bet", "fold_to_three_bet", "cbet", "fold_to_cbet", "aggression_factor", "aggression_frequency", "wtsd", "wsd", "won_when_saw_flop"],
    columns: ["vpip", "pfr", "bb_per_100"],
    chips: true,
  },
  chess: { order: ["score", "wins", "draws", "losses"], columns: ["wins", "draws", "losses"], chips: false },
};

export function figuresOf(game: string): FiguresOfGame {
  return FIGURES[game] ?? { order: [], columns: [], chips: false };
}

/** Whether a list of rounds of this game, or of all games, may be narrowed down by chips. */
export const hasChips = (game: string): boolean => !game || figuresOf(game).chips;
