import type { words as english } from "../en/house.ts";

export const words: Record<keyof typeof english, string> = {
  "house.title": "Das Haus",
  "house.suggestions": "Vorschläge",
  "house.suggestions.all": "Die letzten zehn. Alle, die aufbewahrt sind, zeigt",
  "house.suggestions.none": "Der Kasten ist leer. Was Gäste dem Gastgeber schreiben, erscheint hier.",
  "house.server": "Dieser Server",
  "house.version": "Version",
  "house.games": "Spiele, und wie das Haus sie spielt",
};
