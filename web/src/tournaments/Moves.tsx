import { num, t } from "../i18n/index.ts";
import { lastMoves } from "./seatChanges.ts";
import type { SeatChange, TournamentView } from "./types.ts";
import { entryName } from "./words.ts";

const SHOWN = 6;

/** Who sits where now: 'Ada: table 3, seat 5'. */
export function moveWords(view: TournamentView, { entry, to, seat }: SeatChange): string {
  return t("tour.move", { name: entryName(view, entry), table: num(to), seat: num(seat + 1) });
}

export function Moves({ view }: { view: TournamentView }) {
  const moves = lastMoves(view, SHOWN);
  if (!moves.length) return null;
  return (
    <section class="panel" aria-labelledby="tour-moves">
      <h2 id="tour-moves">{t("tour.moves")}</h2>
      <ul class="tour-moves">
        {moves.map((move) => (
          <li key={`${move.entry} ${move.at}`}>{moveWords(view, move)}</li>
        ))}
      </ul>
    </section>
  );
}
