import { useLayoutEffect, useRef } from "preact/hooks";
import { animations } from "../../../app/prefs.ts";

const LENGTH = 500;
/** Milliseconds between two figures: each is laid out and painted, which a slow phone cannot do in every frame. */
const PAUSE = 60;

/** A percentage that counts from what it was to what it is. */
export function Counting({ percent }: { percent: number }) {
  const figure = useRef<HTMLSpanElement>(null);
  const from = useRef(percent);
  useLayoutEffect(() => {
    const start = from.current;
    const show = (value: number) => {
      from.current = value;
      const text = `${Math.round(value)} %`;
      // The same text again would be laid out and painted again.
      if (figure.current && figure.current.textContent !== text) figure.current.textContent = text;
    };
    if (!animations.value || document.hidden || start === percent) return show(percent);
    let frame = 0;
    let began: number | null = null;
    let shown = 0;
    const step = (now: number) => {
      began ??= now;
      const part = Math.min(1, (now - began) / LENGTH);
      if (part === 1 || now - shown >= PAUSE) {
        shown = now;
        show(start + (percent - start) * (1 - (1 - part) ** 3));
      }
      if (part < 1) frame = requestAnimationFrame(step);
    };
    show(start);
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [percent]);
  return <span ref={figure} class="counting" />;
}
