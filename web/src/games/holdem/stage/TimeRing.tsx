import { useEffect, useState } from "preact/hooks";
import type { PokerPlayer, PokerView } from "../types.ts";

const FEW_SECONDS = 10_000;
const RADIUS = 18.4;
const AROUND = 2 * Math.PI * RADIUS;

interface Props {
  view: PokerView;
  player: PokerPlayer;
  now(): number;
}

/** What is left of the time to act, as a ring around the face and in seconds when they are few; then the time bank's. */
export function TimeRing({ view, player, now }: Props) {
  const deadline = view.deadline;
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!deadline) return;
    setTime(now());
    const timer = setInterval(() => setTime(now()), 250);
    return () => clearInterval(timer);
  }, [deadline?.at]);
  if (!deadline) return null;
  const usual = Number(view.settings.action_seconds ?? 0) * 1000;
  const left = deadline.at - player.bank - time;
  const onBank = left <= 0 && player.bank > 0;
  const [rest, whole] = onBank ? [deadline.at - time, player.bank] : [left, usual];
  const part = Math.min(1, Math.max(0, rest / Math.max(1, whole)));
  const short = rest <= FEW_SECONDS;
  return (
    <>
      <svg class={onBank ? "ring bank" : short ? "ring short" : "ring"} viewBox="0 0 40 40" aria-hidden="true">
        <circle class="ring-track" cx="20" cy="20" r={RADIUS} />
        <circle class="ring-rest" cx="20" cy="20" r={RADIUS} stroke-dasharray={`${part * AROUND} ${AROUND}`} />
      </svg>
      {short && (
        <b class={onBank ? "seconds bank" : "seconds"} aria-hidden="true">
          {Math.max(0, Math.ceil(rest / 1000))}
        </b>
      )}
    </>
  );
}
