import { useState } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import { height, ticks } from "./scale.ts";
import "../../styles/figures.css";

export interface ChartLine {
  name: string;
  values: readonly number[];
  /** How far each value may be off, drawn as a band around the line. */
  spread?: readonly number[];
}

interface Props {
  /** What the chart shows. */
  title: string;
  /** The first is drawn last, over the others. */
  lines: readonly ChartLine[];
  /** What each place along the chart is called: 'Hand 17', '3 May 2026'. */
  places: readonly string[];
  /** What the column of the places is called in the table behind the chart. */
  placeName: string;
  format(value: number): string;
  withZero?: boolean;
  /** Thin lines behind the others, which nothing is read off: whom one is among. Each begins at a place. */
  backdrop?: readonly { from: number; values: readonly number[] }[];
}

const NOTHING: NonNullable<Props["backdrop"]> = [];

/**
 * Lines over time. A slider lies over the chart, so that a finger, the arrow keys and a screen reader all find each value; the
 * same numbers stand in a table below.
 */
export function LineChart({ title, lines, places, placeName, format, withZero = false, backdrop = NOTHING }: Props) {
  const last = places.length - 1;
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.min(chosen ?? last, last);
  const bounds = lines.flatMap(({ values, spread }) => values.flatMap((value, index) => [value - (spread?.[index] ?? 0), value + (spread?.[index] ?? 0)]));
  const marks = ticks([...bounds, ...backdrop.flatMap(({ values }) => values)], withZero);
  const x = (index: number) => (last > 0 ? (100 * index) / last : 50);
  const told = (index: number) => [places[index] ?? "", ...lines.map(({ name, values, spread }) => `${name} ${written(values[index], spread?.[index], format)}`)];
  const follow = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    setChosen(Math.max(0, Math.min(last, Math.round(((event.clientX - left) / width) * last))));
  };
  return (
    <figure class="line-chart">
      <figcaption>
        <b>{title}</b>
        <span class="chart-told">
          <span>{places[at]}</span>
          {lines.map(({ name, values, spread }, index) => (
            <span key={name}>
              <i class={`swatch line-${index}`} aria-hidden="true" />
              {name} <b>{written(values[at], spread?.[at], format)}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <div class="chart-frame">
        <div class="chart-marks" aria-hidden="true">
          {marks.map((mark) => (
            <span key={mark} style={{ top: `${height(mark, marks)}%` }}>
              {format(mark)}
            </span>
          ))}
        </div>
        <div class="chart-plot" onPointerMove={follow} onPointerLeave={() => setChosen(null)}>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            {marks.map((mark) => (
              <path key={mark} class={mark === 0 ? "grid zero" : "grid"} d={`M0 ${height(mark, marks)}H100`} />
            ))}
            {backdrop.map(({ from, values }, index) => (
              <polyline key={index} class="backdrop" points={values.map((value, place) => `${x(from + place)},${height(value, marks)}`).join(" ")} />
            ))}
            {lines.map(({ name, values, spread }, index) => spread && <polygon key={name} class={`band line-${index}`} points={band(values, spread, x, marks)} />)}
            {lines.map(({ name, values }, index) => <polyline key={name} class={`line-${index}`} points={values.map((value, place) => `${x(place)},${height(value, marks)}`).join(" ")} />).reverse()}
          </svg>
          <span class="chart-at" style={{ left: `${x(at)}%` }} aria-hidden="true" />
          {lines.map(({ name, values }, index) => (
            <span key={name} class={`chart-dot line-${index}`} style={{ left: `${x(at)}%`, top: `${height(values[at] ?? 0, marks)}%` }} aria-hidden="true" />
          ))}
          <input
            type="range"
            min={0}
            max={Math.max(last, 0)}
            value={at}
            aria-label={title}
            aria-valuetext={told(at).join(", ")}
            onInput={(event) => setChosen(Number(event.currentTarget.value))}
          />
        </div>
        <div class="chart-ends" aria-hidden="true">
          <span>{places[0]}</span>
          {last > 0 && <span>{places[last]}</span>}
        </div>
      </div>
      <Figures {...{ title, lines, places, placeName, format }} />
    </figure>
  );
}

function written(value: number | undefined, spread: number | undefined, format: (value: number) => string): string {
  if (value === undefined) return "–";
  return spread === undefined ? format(value) : `${format(value)} ± ${format(spread)}`;
}

function band(values: readonly number[], spread: readonly number[], x: (index: number) => number, marks: readonly number[]): string {
  const edge = (sign: number) => values.map((value, place) => `${x(place)},${height(value + sign * (spread[place] ?? 0), marks)}`);
  return [...edge(1), ...edge(-1).reverse()].join(" ");
}

/** The numbers behind a chart, made when somebody asks for them. */
function Figures({ title, lines, places, placeName, format }: Omit<Props, "withZero" | "backdrop">) {
  const [open, setOpen] = useState(false);
  return (
    <details class="chart-figures" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("chart.table")}</summary>
      {open && (
        <div class="scroll-x" tabIndex={0} role="region" aria-label={`${title} (${placeName})`}>
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">{placeName}</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {places.map((place, index) => (
                <tr key={index}>
                  <th scope="row">{place}</th>
                  {lines.map(({ name, values, spread }) => (
                    <td key={name}>{written(values[index], spread?.[index], format)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
