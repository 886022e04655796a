import { useEffect, useState } from "preact/hooks";

/** How much of the time to act is left, as a thinning line and as seconds when it is short. */
export function Countdown({ now, deadline }: { now(): number; deadline: { at: number } | null }) {
  const [left, setLeft] = useState(0);
  const [whole, setWhole] = useState(1);
  useEffect(() => {
    if (!deadline) return;
    const look = () => setLeft(Math.max(0, deadline.at - now()));
    setWhole(Math.max(1, deadline.at - now()));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [deadline?.at]);
  if (!deadline) return null;
  const short = left < 10_000;
  return (
    <span class={short ? "countdown short" : "countdown"} aria-hidden="true">
      <i style={{ transform: `scaleX(${Math.min(1, left / whole)})` }} />
      {short && <b>{Math.ceil(left / 1000)}</b>}
    </span>
  );
}
