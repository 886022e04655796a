import { signal } from "@preact/signals";

/** The text of a file that was opened on one page and is read on another: a PGN for the analysis board. */
export const incoming = signal("");
