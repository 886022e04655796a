/** The names of openings, by position. The list is fetched once, when a name is first wanted. */

import { movesOn, type Path, type Tree } from "./tree.ts";

export interface Opening {
  /** The code in the Encyclopaedia of Chess Openings: 'C50'. */
  eco: string;
  name: string;
}

export type Names = ReadonlyMap<string, Opening>;

/** The list as the build writes it: a position, a code and a name on each line. */
export function readNames(text: string): Names {
  const names = new Map<string, Opening>();
  for (const line of text.split("\n")) {
    const [position, eco, name] = line.split("\t");
    if (position && eco && name) names.set(position, { eco, name });
  }
  return names;
}

let asked: Promise<Names> | undefined;

export function loadNames(): Promise<Names> {
  asked ??= fetchNames().catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

async function fetchNames(): Promise<Names> {
  const answer = await fetch("/openings.tsv");
  if (!answer.ok) throw new Error(`the names of openings: ${answer.status}`);
  return readNames(await answer.text());
}

/** What has been played on the way to a position, by the last position that has a name; only standard chess has names. */
export function openingAt(names: Names, tree: Tree, at: Path): Opening | null {
  if (tree.variant !== "standard") return null;
  const positions = [tree.start, ...movesOn(tree, at).map((move) => move.fen)];
  for (const fen of positions.reverse()) {
    const found = names.get(fen.split(" ").slice(0, 4).join(" "));
    if (found) return found;
  }
  return null;
}
