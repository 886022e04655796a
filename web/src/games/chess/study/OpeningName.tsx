import { useMemo } from "preact/hooks";
import { useLoaded } from "../../../ui/useLoaded.ts";
import { loadNames, openingAt } from "./openings.ts";
import type { Path, Tree } from "./tree.ts";

export interface OpeningNameProps {
  tree: Tree;
  at: Path;
}

/** The name of what has been played on the way to a position. */
export function OpeningName({ tree, at }: OpeningNameProps) {
  const names = useLoaded(loadNames, []);
  const opening = useMemo(() => names && openingAt(names, tree, at), [names, tree, at.join()]);
  if (!opening) return null;
  return (
    <p class="ellipsis" title={opening.name}>
      <span class="eco">{opening.eco}</span> {opening.name}
    </p>
  );
}
