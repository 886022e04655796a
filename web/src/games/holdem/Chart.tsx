import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { me } from "../../app/session.ts";
import { num, t } from "../../i18n/index.ts";
import { useLoaded } from "../../ui/useLoaded.ts";
import { netOverTime } from "./netOverTime.ts";

/** Chips won and lost over the last hands, as a line. */
export function Chart() {
  const id = me.value?.id ?? "";
  const sums = useLoaded(() => netOverTime(id), [id]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current || !sums || sums.length < 2) return;
    const style = getComputedStyle(place.current);
    const [ink, line, accent] = ["--muted", "--line", "--accent"].map((name) => style.getPropertyValue(name).trim());
    const axis = { stroke: ink ?? "", grid: { stroke: line ?? "", width: 1 }, ticks: { stroke: line ?? "", width: 1 } };
    const options: uPlot.Options = {
      width: place.current.clientWidth,
      height: 200,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false } },
      axes: [axis, { ...axis, size: 60, values: (_, values) => values.map(num) }],
      series: [{}, { stroke: accent ?? "", width: 2, fill: `${accent}22` }],
    };
    const chart = new uPlot(options, [sums.map((_, hand) => hand), sums], place.current);
    const resized = new ResizeObserver(([entry]) => chart.setSize({ width: entry?.contentRect.width ?? 300, height: 200 }));
    resized.observe(place.current);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [sums]);
  if (!sums || sums.length < 2) return null;
  const words = t("stats.chart", { n: num(sums.length - 1), net: num(sums.at(-1) ?? 0) });
  return (
    <figure class="chart">
      <figcaption>{words}</figcaption>
      <div ref={place} role="img" aria-label={words} />
    </figure>
  );
}
