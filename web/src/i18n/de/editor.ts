import type { words as en } from "../en/editor.ts";

/** The words of the board editor. */
export const words: Record<keyof typeof en, string> = {
  "edit.empty": "leer",
  "edit.whitePieces": "Weiße Figuren",
  "edit.blackPieces": "Schwarze Figuren",
  "edit.move": "Figuren ziehen",
  "edit.remove": "Figuren entfernen",
  "edit.squares": "Felder: Pfeiltasten bewegen, ein Buchstabe setzt eine Figur (K, Q, R, B, N, P; groß für Weiß), Entf entfernt sie",
  "edit.turn": "Am Zug",
  "edit.castling": "Rochaderechte",
  "edit.castling.K": "Weiß O-O",
  "edit.castling.Q": "Weiß O-O-O",
  "edit.castling.k": "Schwarz O-O",
  "edit.castling.q": "Schwarz O-O-O",
  "edit.passing": "En passant",
  "edit.passing.none": "keins",
  "edit.start": "Ausgangsstellung",
  "edit.clear": "Brett leeren",
  "edit.analyse": "Analysieren",
  "edit.friend": "Gegen einen Freund",
  "edit.house": "Gegen das Haus",
  "edit.side": "Du spielst {colour}, die Seite unten.",
  "edit.valid": "Stellung ist legal",
  "edit.over": "In dieser Stellung ist die Partie schon zu Ende.",
};
