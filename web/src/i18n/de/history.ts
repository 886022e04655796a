import type { words as english } from "../en/history.ts";

export const words: Record<keyof typeof english, string> = {
  "history.title": "Verlauf",
  "history.tables": "Deine Tische",
  "history.none": "Du hast noch nicht gespielt.",
  "history.of": "Verlauf von Tisch {code}",
  "history.table": "Zum Tisch",
  "history.noRounds": "Noch keine Hand oder Partie zu Ende gespielt.",
  "history.missing": "Diese Hand oder Partie gibt es nicht, oder sie läuft noch.",
  "history.hand": "Hand {n}",
  "history.game": "Partie {n}",
  "history.round": "Runde {n}",
  "history.share": "Teilen",
  "history.all": "Alle",
  "history.before": "Vorherige",
  "history.after": "Nächste",
};
