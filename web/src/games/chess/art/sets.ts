import { effect } from "@preact/signals";
import { pieceSet, type PieceSet } from "../../../app/prefs.ts";
import { ROLES } from "../pieces.ts";

/** One address for each piece, by 'white-king'. */
type Pictures = Record<string, string>;

const NAMES = ["king", ...Object.values(ROLES)];

/** The sets that one can choose from; each is fetched when it is first shown. */
const SETS: Record<PieceSet, () => Promise<Pictures>> = {
  async classic() {
    const { default: css } = await import("chessground/assets/chessground.cburnett.css?inline");
    const found = css.matchAll(/piece\.(\w+)\.(white|black)\s*\{\s*background-image:\s*url\(["']?(data:[^"')]+)/g);
    return Object.fromEntries(Array.from(found, ([, role, colour, picture]) => [`${colour}-${role}`, picture ?? ""]));
  },
  async parlour() {
    const { draw } = await import("./parlour.ts");
    const pairs = (["white", "black"] as const).flatMap((colour) => NAMES.map((role) => [`${colour}-${role}`, draw(role, colour)] as const));
    return Object.fromEntries(pairs.map(([name, svg]) => [name, `data:image/svg+xml,${encodeURIComponent(svg)}`]));
  },
};

/** Makes a set the one in which every piece is drawn: the style sheets take the pictures from these properties. */
async function show(set: PieceSet): Promise<void> {
  const pictures = await SETS[set]();
  if (set !== pieceSet.peek()) return;
  for (const [name, picture] of Object.entries(pictures)) document.documentElement.style.setProperty(`--${name}`, `url("${picture}")`);
}

let first: Promise<void> | undefined;

/** Draws the pieces in the chosen set from now on; resolves when they can be seen. */
export function dressPieces(): Promise<void> {
  if (!first) {
    effect(() => {
      const shown = show(pieceSet.value);
      first ??= shown;
      void shown.catch(() => undefined);
    });
  }
  return first ?? Promise.resolve();
}

/** A piece of a set other than the one in use, for choosing one. */
export async function pictureOf(set: PieceSet, name: string): Promise<string> {
  return (await SETS[set]())[name] ?? "";
}
