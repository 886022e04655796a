import { signal, type Signal } from "@preact/signals";

function matching(query: string): Signal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener("change", () => (matches.value = list.matches));
  return matches;
}

const wide = matching("(min-width: 900px)");
/** Whether the table is wider than high, when head, bar and side panel have what they need. */
const flat = matching("(min-width: 900px) and (min-aspect-ratio: 11/10), (max-width: 899px) and (min-aspect-ratio: 1/1)");

/** Whether there is room for a column beside the table. */
export const useWide = (): boolean => wide.value;

export const useShape = (): "portrait" | "landscape" => (flat.value ? "landscape" : "portrait");
