import type { words as english } from "../en/history.ts";

export const words: Record<keyof typeof english, string> = {
  "history.title": "Historial",
  "history.tables": "Tus mesas",
  "history.none": "Aún no has jugado.",
  "history.of": "Historial de la mesa {code}",
  "history.table": "Ir a la mesa",
  "history.noRounds": "Aún no hay manos ni partidas terminadas.",
  "history.missing": "Esa mano o partida no existe, o aún no ha terminado.",
  "history.hand": "Mano {n}",
  "history.game": "Partida {n}",
  "history.round": "Ronda {n}",
  "history.share": "Compartir",
  "history.all": "Todas",
  "history.before": "Anterior",
  "history.after": "Siguiente",
};
