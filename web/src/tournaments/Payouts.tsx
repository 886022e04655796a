import { num, t } from "../i18n/index.ts";
import type { TournamentView } from "./types.ts";

interface Line {
  from: number;
  to: number;
  prize: number;
}

/** Places that are paid alike, as one line. */
export function payoutLines(payouts: TournamentView["payouts"]): Line[] {
  const lines: Line[] = [];
  for (const { place, prize } of payouts) {
    const last = lines.at(-1);
    if (last && last.prize === prize && last.to === place - 1) last.to = place;
    else lines.push({ from: place, to: place, prize });
  }
  return lines;
}

export const placesText = ({ from, to }: Line): string => (to > from ? `${num(from)}–${num(to)}` : num(from));

/** What each place is worth. */
export function Payouts({ view }: { view: TournamentView }) {
  const lines = payoutLines(view.payouts);
  if (!lines.length || !view.pool) return null;
  return (
    <section class="panel" aria-labelledby="tour-payouts">
      <h2 id="tour-payouts">{t("tour.payouts")}</h2>
      <table class="figures payouts">
        <thead>
          <tr>
            <th scope="col">{t("tour.place")}</th>
            <th scope="col">{t("tour.prize")}</th>
            <th scope="col">{t("tour.share")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.from} class={view.players_left >= line.from && view.players_left <= line.to && view.status !== "registering" && view.status !== "finished" ? "at-stake" : ""}>
              <th scope="row">{placesText(line)}</th>
              <td>{num(line.prize)}</td>
              <td class="muted">{`${num(Math.round((line.prize / view.pool) * 1000) / 10)} %`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
