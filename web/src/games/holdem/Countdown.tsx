import { useEffect, useState } from "preact/hooks";

/** How much of the time to act is left, as a thinning line and as seconds when it is short. */
export function Countdown({ now, deadline }: { now(): number; deadline: { at: number } | null }) {
  const remaining = () => (deadline ? Math.max(0, deadline.at - now()) : 0);
  const [left, setLeft] = useState(remaining);
  const [whole, setWhole] = useState(() => Math.max(1, remaining()));
  useEffect(() => {
    if (!deadline) return;
    const look = () => setLeft(remaining());
    setWhole(Math.max(1, remaining()));
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
