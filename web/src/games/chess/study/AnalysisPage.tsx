import { useState } from "preact/hooks";
import { t } from "../../../i18n/index.ts";
import { optionName } from "../../../lobby/describe.ts";
import { addressOf, readAddress } from "./address.ts";
import { faultWords } from "./faults.ts";
import { treeOf, VARIANTS } from "./rules.ts";
import { Study } from "./Study.tsx";
import type { Path, Tree } from "./tree.ts";

/** The server takes no longer request line than this: a longer address could not be opened again. */
const LONGEST = 6000;

/** The analysis board: `/analysis`, with a position, moves or a whole game in the address. */
export function AnalysisPage() {
  const [asked] = useState(() => readAddress(location.search));
  const [now, setNow] = useState(() => (typeof asked === "string" ? empty("standard") : asked));
  const show = (tree: Tree, at: Path) => {
    setNow({ tree, at });
    const address = addressOf(tree, at);
    // A reload brings the same board back, and the address can be sent to somebody.
    if (address.length < LONGEST) history.replaceState(null, "", address);
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
      {typeof asked === "string" && (
        <p class="fault" role="alert">
          {faultWords(asked)}
        </p>
      )}
      <Study tree={now.tree} at={now.at} onChange={show} head={head} canImport />
    </div>
  );
}

function empty(variant: string): { tree: Tree; at: Path } {
  const tree = treeOf(variant, null, []);
  if (typeof tree === "string") throw new Error(`no start position for ${variant}`);
  return { tree, at: [] };
}
