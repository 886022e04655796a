/** Lo que uno se lleva del tablero de análisis o trae a él, y escribe en las jugadas. */
export const words = {
  "study.share": "Compartir y exportar",
  "study.copyFen": "Copiar FEN",
  "study.copyPgn": "Copiar PGN",
  "study.copyLink": "Copiar enlace",
  "study.copied": "Copiado",
  "study.import": "Importar PGN o FEN",
  "study.paste": "Pega una partida o una posición",
  "study.file": "O abre un archivo",
  "study.refused": "{move} no es una jugada legal: se ha importado hasta ahí.",
  "study.figurines": "Notación con figuras (♘f3)",
  "study.sign": "Signo",
  "study.noSign": "Ninguno",
  "study.comment": "Comentario",
  "study.downloadPgn": "Descargar PGN",
  "study.downloadAll": "Descargar todas las partidas",
  "study.games": "{n} partidas importadas",
};
