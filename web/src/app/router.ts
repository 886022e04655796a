import { signal } from "@preact/signals";
import { toasts } from "./live.ts";

/** The path shown; pages are chosen by it. */
export const path = signal(location.pathname);

/** What the path is asked for: '?fen=…'. */
export const search = signal(location.search);

export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  show();
}

function show(): void {
  // What a notice speaks of is left behind with its page.
  if (path.value !== location.pathname) toasts.value = [];
  path.value = location.pathname;
  search.value = location.search;
  scrollTo(0, 0);
}

/** Lets ordinary links change the page without loading it anew. */
export function followLinks(): void {
  addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || link.pathname === "/openapi.json" || link.pathname === "/third-party.txt" || link.pathname.startsWith("/docs")) return;
    if (link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
