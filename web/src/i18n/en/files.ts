/** What one takes away from an analysis board or brings to it, and writes to its moves. */
export const words = {
  "study.share": "Share and export",
  "study.copyFen": "Copy FEN",
  "study.copyPgn": "Copy PGN",
  "study.copyLink": "Copy link",
  "study.copied": "Copied",
  "study.import": "Import PGN or FEN",
  "study.paste": "Paste a game or a position",
  "study.file": "Or open a file",
  "study.refused": "{move} is not a legal move: the line was imported up to there.",
  "study.figurines": "Figurine notation (♘f3)",
  "study.sign": "Sign",
  "study.noSign": "None",
  "study.comment": "Comment",
  "study.downloadPgn": "Download PGN",
  "study.downloadAll": "Download all games",
  "study.games": "{n} games imported",
};
