/** The 169 kinds of starting hand: pairs on the diagonal, suited above it, offsuit below. */
export const RANKS = Array.from("AKQJT98765432");

export function kindAt(row: number, column: number): string {
  const [first, second] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  if (row === column) return `${first}${second}`;
  return `${first}${second}${row < column ? "s" : "o"}`;
}

const ALL = RANKS.flatMap((_, row) => RANKS.map((__, column) => kindAt(row, column)));

/** The kinds that a written range names, as far as the grid can show them ('QQ+, AKs, T9s-76s'). */
export function readRange(text: string): Set<string> {
  const kinds = new Set<string>();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, base, plus] = /^([AKQJT2-9]{2}[so]?)(\+?)$/i.exec(part) ?? [];
    if (!base) continue;
    for (const kind of ALL) if (matches(kind, tidy(base), plus === "+")) kinds.add(kind);
  }
  return kinds;
}

function tidy(base: string): string {
  return base.slice(0, 2).toUpperCase() + base.slice(2).toLowerCase();
}

function matches(kind: string, base: string, plus: boolean): boolean {
  const at = (char: string | undefined) => RANKS.indexOf(char ?? "");
  const pair = base[0] === base[1];
  const suits = pair ? kind.length === 2 : base.length === 3 ? kind.endsWith(base[2] ?? "") && kind.length === 3 : kind.length === 3;
  if (!suits) return false;
  if (!plus) return kind.slice(0, 2) === base.slice(0, 2);
  if (pair) return at(kind[0]) <= at(base[0]);
  return kind[0] === base[0] && at(kind[1]) <= at(base[1]);
}

/** The kinds as text, in the order of the grid. */
export function writeRange(kinds: ReadonlySet<string>): string {
  return ALL.filter((kind) => kinds.has(kind)).join(", ");
}

/** Of 1,326 hands, how many these kinds hold. */
export function combinations(kinds: ReadonlySet<string>): number {
  let sum = 0;
  for (const kind of kinds) sum += kind.length === 2 ? 6 : kind.endsWith("s") ? 4 : 12;
  return sum;
}
