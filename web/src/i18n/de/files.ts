/** Was man vom Analysebrett mitnimmt oder dorthin mitbringt und zu den Zügen schreibt. */
export const words = {
  "study.share": "Teilen und exportieren",
  "study.copyFen": "FEN kopieren",
  "study.copyPgn": "PGN kopieren",
  "study.copyLink": "Link kopieren",
  "study.copied": "Kopiert",
  "study.import": "PGN oder FEN importieren",
  "study.paste": "Partie oder Stellung einfügen",
  "study.file": "Oder eine Datei öffnen",
  "study.refused": "{move} ist kein legaler Zug: bis dahin wurde importiert.",
  "study.figurines": "Figurinen-Notation (♘f3)",
  "study.sign": "Zeichen",
  "study.noSign": "Keins",
  "study.comment": "Kommentar",
  "study.downloadPgn": "PGN herunterladen",
  "study.downloadAll": "Alle Partien herunterladen",
  "study.games": "{n} Partien importiert",
};
