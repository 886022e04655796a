import { signal } from "@preact/signals";

const query = matchMedia("(min-width: 900px)");
const wide = signal(query.matches);
query.addEventListener("change", () => (wide.value = query.matches));

/** Whether there is room for a column beside the table. */
export const useWide = (): boolean => wide.value;
