import { signal } from "@preact/signals";

/** What is spoken to a screen reader: the newest line is read out politely. */
export const spoken = signal<string[]>([]);

export function say(text: string): void {
  if (text) spoken.value = [...spoken.value.slice(-5), text];
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
