/** How a move is written for people: with the letters of their language, or with small pieces. */

const ENGLISH = "KQRBN";
const FIGURES = "♔♕♖♗♘";

function exchanged(san: string, from: string, to: string): string {
  // A piece stands first in a move or after the sign of a promotion; files are small letters.
  return san.replace(/(^|=)([A-Z])/g, (_, before: string, char: string) => before + (to[from.indexOf(char)] ?? char));
}

/** A move in SAN with the letters of a language, given in the order king, queen, rook, bishop, knight. */
export const withLetters = (san: string, letters: string): string => exchanged(san, ENGLISH, letters);

export const withFigures = (san: string): string => exchanged(san, ENGLISH, FIGURES);

/** A move that was typed with the letters of a language, in English letters. */
export const inEnglish = (text: string, letters: string): string => exchanged(text.trim(), letters, ENGLISH);

/** The signs that annotators put behind moves. */
export const NAGS: Readonly<Record<number, string>> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+" };

const COMMAND = /\[%\w+\s[^\]]*\]/g;

/** The commands for programs in a comment. */
export const commandsIn = (comment: string): string[] => comment.match(COMMAND) ?? [];

/** A comment as people read it, without the commands for programs: clock times, arrows, evaluations. */
export const plainComment = (comment: string): string => comment.replaceAll(COMMAND, "").trim();
