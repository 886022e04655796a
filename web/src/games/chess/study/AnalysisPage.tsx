import { useRef, useState } from "preact/hooks";
import { t } from "../../../i18n/index.ts";
import { optionName } from "../../../lobby/describe.ts";
import { useLoaded } from "../../../ui/useLoaded.ts";
import { addressOf, readAddress } from "./address.ts";
import { faultWords } from "./faults.ts";
import { treeOf, VARIANTS, type Fault } from "./rules.ts";
import { Study } from "./Study.tsx";
import type { Path, Tree } from "./tree.ts";

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
  const show = (tree: Tree, at: Path) => {
    const next = { tree, at };
    setNow((newest.current = next));
    // A reload brings the same board back, and the address can be sent to somebody.
    void addressOf(tree, at).then((address) => {
      if (newest.current === next && address.length < LONGEST && location.pathname === "/analysis") history.replaceState(null, "", address);
    });
  };
  const change = (variant: string) => {
    const { tree, at } = empty(variant);
    show(tree, at);
  };
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
    </header>
  );
  return (
    <div class="page study-page">
      {fault && (
        <p class="fault" role="alert">
          {faultWords(fault)}
        </p>
      )}
      <Study tree={now.tree} at={now.at} onChange={show} head={head} canImport />
    </div>
  );
}

function empty(variant: string): Shown {
  const tree = treeOf(variant, null, []);
  if (typeof tree === "string") throw new Error(`no start position for ${variant}`);
  return { tree, at: [] };
}
