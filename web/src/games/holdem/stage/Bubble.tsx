import { useEffect, useState } from "preact/hooks";
import type { PokerView } from "../types.ts";

/** How long words stay at a seat. */
const STAY = 5000;

/** What this player said just now at this seat. It is in the chat as well, and was spoken there. */
export function Bubble({ view, seat, player, now }: { view: PokerView; seat: number; player: string; now(): number }) {
  const line = view.chat.findLast((one) => one.seat === seat && one.player === player);
  const [, tick] = useState(0);
  const left = line ? line.at + STAY - now() : 0;
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => tick((n) => n + 1), left + 20);
    return () => clearTimeout(timer);
  }, [line?.at]);
  if (!line || left <= 0) return null;
  const short = Array.from(line.text).length <= 2;
  return (
    <span key={line.at} class={short ? "bubble short" : "bubble"} aria-hidden="true">
      <span>{line.text}</span>
    </span>
  );
}
