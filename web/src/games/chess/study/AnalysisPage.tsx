import { useRef, useState } from "preact/hooks";
import { t } from "../../../i18n/index.ts";
import { optionName } from "../../../lobby/describe.ts";
import { useLoaded } from "../../../ui/useLoaded.ts";
import { addressOf, readAddress } from "./address.ts";
import { faultWords } from "./faults.ts";
import type { Chapter } from "./pgn.ts";
import { treeOf, VARIANTS, type Fault } from "./rules.ts";
import { Study } from "./Study.tsx";
import { mainLine, type Path, type Tree } from "./tree.ts";

/** The server takes no longer request line than this: a longer address could not be opened again. */
const LONGEST = 6000;

interface Shown {
  tree: Tree;
  at: Path;
}

/** The analysis board: `/analysis`, with a position, moves or a whole game in the address. */
export function AnalysisPage() {
  const asked = useLoaded(() => readAddress(location.search), []);
  if (asked === undefined) return <p role="status">{t("loading")}</p>;
  return asked === null || typeof asked === "string" ? <Board first={empty("standard")} fault={asked ?? "pgn"} /> : <Board first={asked} />;
}

function Board({ first, fault }: { first: Shown; fault?: Fault | "pgn" }) {
  const [now, setNow] = useState(first);
  const newest = useRef(first);
  /** The games that were imported together, as they were read, and those that have been looked at since. */
  const [games, setGames] = useState<readonly Chapter[]>([]);
  const [which, setWhich] = useState(0);
  const seen = useRef(new Map<number, Tree>());
  const show = (tree: Tree, at: Path, number = which) => {
    const next = { tree, at };
    setNow((newest.current = next));
    seen.current.set(number, tree);
    // A reload brings the same board back, and the address can be sent to somebody.
    void addressOf(tree, at).then((address) => {
      if (newest.current === next && address.length < LONGEST && location.pathname === "/analysis") history.replaceState(null, "", address);
    });
  };
  const change = (variant: string) => {
    const { tree, at } = empty(variant);
    setGames([]);
    setWhich(0);
    show(tree, at, 0);
  };
  const turnTo = (from: readonly Chapter[], number: number) => {
    const tree = seen.current.get(number) ?? treeIn(from[number]);
    if (!tree) return;
    setWhich(number);
    show(tree, mainLine(tree), number);
  };
  const open = (imported: readonly Chapter[]) => {
    seen.current.clear();
    setGames(imported);
    turnTo(imported, 0);
  };
  const allGames = () => games.flatMap((game, number) => (number === which ? newest.current.tree : (seen.current.get(number) ?? treeIn(game))) ?? []);
  const head = (
    <header class="study-head">
      <h1>{t("tool.analysis")}</h1>
      <select aria-label={t("set.variant")} value={now.tree.variant} onChange={(event) => change(event.currentTarget.value)}>
        {VARIANTS.map((variant) => (
          <option key={variant} value={variant}>
            {optionName("variant", variant)}
          </option>
        ))}
      </select>
      {games.length > 1 && (
        <select class="study-games" aria-label={t("study.game")} value={which} onChange={(event) => turnTo(games, Number(event.currentTarget.value))}>
          {games.map(({ headers }, number) => (
            <option key={number} value={number}>
              {`${number + 1}. ${headers.get("White") ?? "?"} – ${headers.get("Black") ?? "?"} ${headers.get("Result") ?? ""}`}
            </option>
          ))}
        </select>
      )}
    </header>
  );
  return (
    <div class="page study-page">
      {fault && (
        <p class="fault" role="alert">
          {faultWords(fault)}
        </p>
      )}
      <Study tree={now.tree} at={now.at} onChange={show} head={head} onImport={open} allGames={games.length > 1 ? allGames : undefined} />
    </div>
  );
}

/** A game as far as it can be read; nothing where it cannot. */
function treeIn(game: Chapter | undefined): Tree | undefined {
  const reading = game?.read();
  return reading && "tree" in reading ? reading.tree : undefined;
}

function empty(variant: string): Shown {
  const tree = treeOf(variant, null, []);
  if (typeof tree === "string") throw new Error(`no start position for ${variant}`);
  return { tree, at: [] };
}
