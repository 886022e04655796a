import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { t } from "../i18n/index.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";

interface Props {
  at: number;
  count: number;
  onStep(at: number): void;
}

const PACE = 900;

/** Forth and back through what happened, by button, by key, or by itself. */
export function Stepper({ at, count, onStep }: Props) {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    if (at >= count - 1) return setPlaying(false);
    const timer = setTimeout(() => onStep(at + 1), PACE);
    return () => clearTimeout(timer);
  }, [playing, at]);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.target as Element).closest("input, select, dialog")) return;
      const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
      if (next === undefined || next < 0 || next >= count) return;
      event.preventDefault();
      onStep(next);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
  const button = (icon: IconName, label: string, to: number) => (
    <button type="button" class="icon-button" aria-label={label} disabled={to < 0 || to >= count || to === at} onClick={() => onStep(to)}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="stepper">
      {button("first", t("step.first"), 0)}
      {button("prev", t("step.prev"), at - 1)}
      <button type="button" class="icon-button" aria-label={playing ? t("step.pause") : t("step.play")} onClick={() => setPlaying(!playing)}>
        <Icon name={playing ? "pause" : "play"} />
      </button>
      {button("next", t("step.next"), at + 1)}
      {button("last", t("step.last"), count - 1)}
      <span class="muted">
        {at + 1} / {count}
      </span>
    </div>
  );
}
