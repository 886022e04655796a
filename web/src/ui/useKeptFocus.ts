import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/**
 * Keeps the keyboard focus in a part of the page whose controls come and go. The browser drops the focus when a focused
 * button is removed or disabled, and the next Tab would start at the top of the page: then the part marked with
 * `data-focus-home`, or else the whole, is focused instead.
 */
export function useKeptFocus(whole: RefObject<HTMLElement | null>, present: boolean): void {
  useEffect(() => {
    const box = whole.current;
    if (!box) return;
    let inside = box.contains(document.activeElement);
    let frame = 0;
    // A dialog opened from here gives the focus back; whoever taps elsewhere has left.
    const moved = (event: FocusEvent) => (inside = (event.target as Element).closest("dialog") ? inside : box.contains(event.target as Node));
    const pressed = (event: PointerEvent) => (inside &&= (event.target as Element).closest("dialog") !== null || box.contains(event.target as Node));
    const keep = () => {
      const active = document.activeElement;
      const lost = !active || active === document.body || (box.contains(active) && active.matches(":disabled"));
      if (inside && lost) (box.querySelector<HTMLElement>("[data-focus-home]") ?? box).focus({ preventScroll: true });
    };
    const changes = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(keep);
    });
    changes.observe(box, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    document.addEventListener("focusin", moved);
    document.addEventListener("pointerdown", pressed);
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame);
      document.removeEventListener("focusin", moved);
      document.removeEventListener("pointerdown", pressed);
    };
  }, [present]);
}
