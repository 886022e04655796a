import { signal, type Signal } from "@preact/signals";

function matching(query: string): Signal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener("change", () => (matches.value = list.matches));
  return matches;
}

const wide = matching("(min-width: 900px)");
const short = matching("(max-width: 899px) and (max-height: 690px)");

/** Whether there is room for a column beside the table. */
export const useWide = (): boolean => wide.value;

/** Whether a phone is so low that the table needs every line. */
export const useShort = (): boolean => short.value;
