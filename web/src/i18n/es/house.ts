import type { words as english } from "../en/house.ts";

export const words: Record<keyof typeof english, string> = {
  "house.title": "La casa",
  "house.suggestions": "Sugerencias",
  "house.suggestions.all": "Las diez últimas. Todas las que se guardan las muestra",
  "house.suggestions.none": "El buzón está vacío. Lo que los invitados escriban al anfitrión aparecerá aquí.",
  "house.server": "Este servidor",
  "house.version": "Versión",
  "house.games": "Juegos, y cómo los juega la casa",
};
