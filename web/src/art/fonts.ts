import { fontsSeen } from "../app/prefs.ts";

const LATER = 2000;

/**
 * Fetches the two typefaces. At the first visit everything else goes first, and they come when the page has been in use
 * for a while; afterwards the browser has kept them, and they are there at once.
 */
export function loadFonts(): void {
  if (fontsSeen.value) void fetchFonts();
  else addEventListener("load", () => setTimeout(() => void fetchFonts(), LATER));
}

/** Makes the typefaces known to the page now. */
export async function fetchFonts(): Promise<void> {
  try {
    await import("../styles/fonts.css");
    fontsSeen.value = true;
  } catch {
    // The system's own faces remain.
  }
}
