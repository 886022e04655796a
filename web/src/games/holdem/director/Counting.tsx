import { useLayoutEffect, useRef } from "preact/hooks";
import { animations } from "../../../app/prefs.ts";

const LENGTH = 500;

/** A percentage that counts from what it was to what it is. */
export function Counting({ percent }: { percent: number }) {
  const figure = useRef<HTMLSpanElement>(null);
  const from = useRef(percent);
  useLayoutEffect(() => {
    const start = from.current;
    const show = (value: number) => {
      from.current = value;
      if (figure.current) figure.current.textContent = `${Math.round(value)} %`;
    };
    if (!animations.value || document.hidden || start === percent) return show(percent);
    let frame = 0;
    let began: number | null = null;
    const step = (now: number) => {
      began ??= now;
      const part = Math.min(1, (now - began) / LENGTH);
      show(start + (percent - start) * (1 - (1 - part) ** 3));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    show(start);
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [percent]);
  return <span ref={figure} />;
}
