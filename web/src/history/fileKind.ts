/** Whether a text is a game of chess as PGN writes it: tags in square brackets first, or numbered moves. */
export function looksLikePgn(text: string): boolean {
  return /^\uFEFF?\s*(?:[%;{][^\n]*\n\s*)*(?:\[\s*\w+\s+"|1\s*\.)/.test(text.slice(0, 4000));
}

/** The hands of a file one by one: in PHHS each begins with its number in brackets, alone on a line; PHH has a single one. */
export function handsIn(text: string): string[] {
  const hands = text.split(/^\s*\[\d+\]\s*$/m).filter((hand) => /=/.test(hand));
  return hands.length ? hands : [text];
}
