import { useEffect, useRef } from "preact/hooks";

interface Keys {
  fold(): void;
  goOn(): void;
  raise(): void;
  allIn(): void;
  /** Puts the cursor into the amount, where the digit is then typed. */
  digit: (() => void) | undefined;
  /** One step more or less. */
  step: ((by: 1 | -1) => void) | undefined;
}

/** The keys of the poker table: f, c, r, a, up, down, digits and Enter, unless something is being typed elsewhere. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target as HTMLElement;
      if (target.closest("dialog, textarea, select") || (target.closest("input") && !target.closest(".sizing"))) return;
      const now = latest.current;
      const typing = target.matches("input[type=text]");
      if (/^[0-9]$/.test(event.key)) {
        if (!typing) now.digit?.();
        return;
      }
      const key = event.key.toLowerCase();
      if (key === "f") now.fold();
      else if (key === "c") now.goOn();
      else if (key === "r") now.digit?.();
      else if (key === "a") now.allIn();
      else if ((key === "arrowup" || key === "arrowdown") && !target.matches("input[type=range], [role=tab]")) now.step?.(key === "arrowup" ? 1 : -1);
      else if (key === "enter" && !pressable(target)) now.raise();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Whether Enter belongs to what has the focus. A size that is chosen already is confirmed rather than chosen again. */
function pressable(target: HTMLElement): boolean {
  return target.closest("button, a, summary") !== null && !target.matches(".size[aria-pressed=true]");
}
