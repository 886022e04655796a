import { signal } from "@preact/signals";

/** More than happens at once when everybody is all-in: a line that is gone before it is drawn is never spoken. */
const KEPT = 30;
let said = 0;

/** What is spoken to a screen reader, the newest last. Each line keeps its number, so that none is read out twice. */
export const spoken = signal<{ id: number; text: string }[]>([]);

export function say(text: string): void {
  if (text) spoken.value = [...spoken.value.slice(1 - KEPT), { id: ++said, text }];
}

export interface Toast {
  id: number;
  text: string;
  kind: "info" | "error";
}

export const toasts = signal<Toast[]>([]);

/** The modal dialogs that are open, the topmost last: only what is inside that one is seen above it and can be used. */
export const dialogs = signal<readonly object[]>([]);
let count = 0;

/** A short notice at the edge of the page; it is spoken as well. */
export function toast(text: string, kind: Toast["kind"] = "info"): void {
  const id = ++count;
  toasts.value = [...toasts.value.slice(-2), { id, text, kind }];
  say(text);
  setTimeout(() => dismiss(id), 6000);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** The text of a file that was opened on one page and is read on another: a PGN for the analysis board. */
export const incoming = signal("");
