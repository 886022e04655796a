/** The words of the record. The English ones have the keys that every other language fills. */
export const words = {
  "history.title": "History",
  "history.tables": "Your tables",
  "history.none": "You have not played anywhere yet.",
  "history.of": "History of {code}",
  "history.table": "To the table",
  "history.noRounds": "Nothing has been played to its end yet.",
  "history.missing": "There is no such hand or game, or it is not finished.",
  "history.hand": "Hand {n}",
  "history.game": "Game {n}",
  "history.share": "Share",
  "history.all": "All",
  "history.before": "Before",
  "history.after": "After",
};
