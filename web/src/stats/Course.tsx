import { figuresOf } from "../games/figures.ts";
import { day, t } from "../i18n/index.ts";
import { LineChart, type ChartLine } from "../ui/chart/LineChart.tsx";
import { signedNumber } from "./figures.ts";
import type { Day } from "../api/wire.ts";

/** How it went over time: chips won and lost, and what they would have come to on average after every all-in. */
export function Course({ game, series }: { game: string; series: readonly Day[] }) {
  if (!figuresOf(game).chips || !series.length) return null;
  const lines: ChartLine[] = [{ name: t("stats.net"), values: sums(series, "net") }];
  if (series.some(({ counts }) => counts.adjusted_net !== counts.net)) lines.push({ name: t("stats.adjusted_net"), values: sums(series, "adjusted_net") });
  const places = [t("stats.start"), ...series.map(({ at }) => day(at))];
  return (
    <section class="panel" aria-label={t("stats.course")}>
      <LineChart title={t("stats.course")} lines={lines} places={places} placeName={t("stats.day")} format={signedNumber} withZero />
    </section>
  );
}

/** Nothing at first, then the sum after each day. */
function sums(series: readonly Day[], name: string): number[] {
  let sum = 0;
  return [0, ...series.map(({ counts }) => (sum += counts[name] ?? 0))];
}
