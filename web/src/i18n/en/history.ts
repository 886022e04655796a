/** The words of the record. The English ones have the keys that every other language fills. */
export const words = {
  "history.title": "History",
  "history.tables": "Your tables",
  "history.none": "You haven’t played yet.",
  "history.of": "History of table {code}",
  "history.table": "Go to the table",
  "history.noRounds": "No finished hands or games yet.",
  "history.missing": "This hand or game doesn’t exist, or it isn’t over yet.",
  "history.hand": "Hand {n}",
  "history.game": "Game {n}",
  "history.round": "Round {n}",
  "history.share": "Share",
  "history.all": "All",
  "history.before": "Previous",
  "history.after": "Next",
};
