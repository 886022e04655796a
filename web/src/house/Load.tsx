import type { Series } from "../api/wire.operator.ts";
import { num, t, type Key } from "../i18n/index.ts";
import { bytes, milliseconds, percent, rate } from "./format.ts";

type Figure = Exclude<keyof Series, "at">;

const FIGURES: readonly (readonly [Figure, Key, (value: number) => string])[] = [
  ["moves", "house.load.moves", rate],
  ["requests", "house.load.requests", rate],
  ["frames", "house.load.frames", rate],
  ["delay", "house.load.delay", milliseconds],
  ["commit", "house.load.commit", milliseconds],
  ["waiting", "house.load.waiting", num],
  ["processor", "house.load.processor", percent],
  ["memory", "house.load.memory", bytes],
  ["sockets", "house.load.sockets", num],
  ["tables", "house.load.tables", num],
];

/** The load of the last minutes: each figure as it is, at its highest, and as a line. */
export function Load({ load }: { load: Series }) {
  return (
    <section class="panel" aria-labelledby="load">
      <div class="panel-head">
        <h2 id="load">{t("house.load")}</h2>
        <small class="muted">{t("house.load.span")}</small>
      </div>
      <dl class="gauges">
        {FIGURES.map(([figure, key, written]) => {
          const course = load[figure];
          return (
            <div key={figure} class="gauge">
              <dt>{t(key)}</dt>
              <dd>
                <b>{course.length ? written(course[course.length - 1] ?? 0) : "–"}</b>
                <small class="muted">{course.length > 1 && t("house.load.most", { value: written(Math.max(...course)) })}</small>
                <Sparkline course={course} />
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

const WIDTH = 100;
const HEIGHT = 24;
/** Samples that the line has room for: it grows from the right as they come. */
const ROOM = 150;

function Sparkline({ course }: { course: number[] }) {
  const most = Math.max(...course, 0) || 1;
  const points = course.map((value, place) => {
    const x = WIDTH - ((course.length - 1 - place) * WIDTH) / (ROOM - 1);
    return `${x.toFixed(2)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 3)).toFixed(2)}`;
  });
  const start = points[0]?.split(",")[0] ?? String(WIDTH);
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {points.length > 1 && (
        <>
          <polygon points={`${start},${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`} />
          <polyline points={points.join(" ")} vector-effect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
}
