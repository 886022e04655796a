import { fontsSeen } from "../app/prefs.ts";

const LATER = 2000;

/**
 * Fetches the two typefaces. At the first visit everything else goes first, and they come when the page has been in use
 * for a while; afterwards the browser has kept them, and they are there at once.
 */
export function loadFonts(): void {
  const load = () =>
    void import("../styles/fonts.css").then(
      () => (fontsSeen.value = true),
      () => undefined, // The system's own faces remain.
    );
  if (fontsSeen.value) load();
  else addEventListener("load", () => setTimeout(load, LATER));
}
