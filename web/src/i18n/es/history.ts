import type { words as english } from "../en/history.ts";

export const words: Record<keyof typeof english, string> = {
  "history.title": "Historial",
  "history.tables": "Tus mesas",
  "history.none": "Aún no has jugado en ninguna parte.",
  "history.of": "Historial de {code}",
  "history.table": "A la mesa",
  "history.noRounds": "Todavía no ha terminado nada.",
  "history.missing": "No existe esa mano o partida, o no ha terminado.",
  "history.hand": "Mano {n}",
  "history.game": "Partida {n}",
  "history.share": "Compartir",
  "history.all": "Todas",
  "history.before": "Anterior",
  "history.after": "Siguiente",
};
