import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { num, t } from "../i18n/index.ts";
import { breaksOf, levelsOf } from "./clock.ts";
import type { TournamentView } from "./types.ts";

/** So many levels around the one that is played. */
const BEFORE = 1;
const AFTER = 6;

/** The levels and breaks; the one that is played is marked. */
export function Structure({ view }: { view: TournamentView }) {
  const [all, setAll] = useState(false);
  const levels = levelsOf(view);
  if (!levels.length) return null;
  const breaks = new Map(breaksOf(view).map(([after, minutes]) => [after, minutes]));
  const now = view.status === "finished" ? 0 : (view.level?.number ?? 0);
  const first = all ? 0 : Math.max(0, Math.min(now - 1 - BEFORE, levels.length - AFTER - BEFORE));
  const shown = all ? levels : levels.slice(first, first + AFTER + BEFORE);
  const antes = levels.some(([, , , ante]) => ante > 0);
  const unit = t(view.settings.level_by === "hands" ? "tour.hands" : "tour.minutes");
  return (
    <section class="panel" aria-labelledby="tour-structure">
      <h2 id="tour-structure">{t("tour.structure")}</h2>
      <table class="figures structure">
        <thead>
          <tr>
            <th scope="col">{t("tour.level")}</th>
            <th scope="col">{t("tour.blinds")}</th>
            {antes && <th scope="col">{t("tour.ante")}</th>}
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(([length, small, big, ante], at) => {
            const number = first + at + 1;
            const rest = breaks.get(number);
            return (
              <Fragment key={number}>
                <tr class={number === now ? "own" : number < now ? "out" : ""} aria-current={number === now ? "step" : undefined}>
                  <th scope="row">{num(number)}</th>
                  <td>{`${num(small)}/${num(big)}`}</td>
                  {antes && <td>{ante ? num(ante) : ""}</td>}
                  <td>{num(length)}</td>
                </tr>
                {rest !== undefined && (
                  <tr class={view.status === "break" && number === now ? "rest own" : "rest"}>
                    <th scope="row" colSpan={antes ? 3 : 2}>
                      {t("tour.break")}
                    </th>
                    <td>{t("tour.min", { n: num(rest) })}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {!all && levels.length > shown.length && (
        <button type="button" class="button lone" onClick={() => setAll(true)}>
          {t("tour.allLevels", { n: num(levels.length) })}
        </button>
      )}
    </section>
  );
}
