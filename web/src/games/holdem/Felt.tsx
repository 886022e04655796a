import { felt } from "../../app/prefs.ts";
import { t } from "../../i18n/index.ts";
import { Card, CardPlace } from "../../art/Card.tsx";
import { alongEdges, aroundOval, type Place } from "./places.ts";
import { money } from "./money.ts";
import { SeatPod } from "./SeatPod.tsx";
import type { PokerView } from "./types.ts";

interface Props {
  view: PokerView;
  wide: boolean;
  /** The seat that is drawn nearest, as one's own; null for somebody who watches. */
  mine: number | null;
  /** The server's time, for what is left of the clock. */
  now(): number;
}

/** The felt: board and pots in the middle, the seats around it, one's own nearest. */
export function Felt({ view, wide, mine, now }: Props) {
  const { seats, state } = view;
  const count = seats.length;
  const places = wide ? aroundOval(count) : alongEdges(mine === null ? count + 1 : count);
  const near = mine ?? 0;
  return (
    <div class={`felt felt-${felt.value} ${wide ? "oval" : "edges"} ${count > 7 ? "many" : count < 7 ? "few" : ""}`}>
      <div class="cloth" aria-hidden="true" />
      <Middle view={view} />
      <ul class="seats" aria-label={t("poker.seats")}>
        {seats.map((seat, index) => {
          const turn = (index - near + count) % count;
          const place = places[wide || mine !== null ? turn : turn + 1] as Place;
          const own = seat.seat === mine;
          if (own && !wide) return null;
          const player = state.players.find((one) => one.seat === seat.seat) ?? null;
          return <SeatPod key={seat.seat} now={now} view={view} seat={seat} player={player} place={place} own={own} />;
        })}
      </ul>
    </div>
  );
}

function Middle({ view }: { view: PokerView }) {
  const { state } = view;
  const big = state.blinds[1];
  const winning = winningCards(view);
  const board = state.board;
  const side = state.pots.length > 1;
  return (
    <div class="middle">
      <p class="pot">
        {state.pot > 0 ? (
          <>
            {t("poker.pot")} <b>{money(state.pot, big)}</b>
          </>
        ) : (
          <span class="blinds">
            {state.blinds.join("/")}
            {state.ante > 0 && ` (${state.ante})`}
          </span>
        )}
      </p>
      <div class="board" role="group" aria-label={t("poker.board")}>
        {board.map((card) => (
          <Card key={card} card={card} dim={winning !== null && !winning.has(card)} />
        ))}
        {Array.from({ length: 5 - board.length }, (_, index) => (
          <CardPlace key={index} />
        ))}
      </div>
      {side && (
        <ul class="side-pots" aria-label={t("poker.sidePots")}>
          {state.pots.map((pot, index) => (
            <li key={index}>
              <span>{index ? t("poker.side", { n: index }) : t("poker.main")}</span> <b>{money(pot.amount, big)}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The five cards that won at a showdown; null when there is nothing to point at. */
export function winningCards(view: PokerView): Set<string> | null {
  const result = view.state.result;
  if (!result || result.reason !== "showdown") return null;
  const winners = new Set(result.pots.flatMap((pot) => pot.winners));
  const best = Object.entries(result.shown)
    .filter(([seat]) => winners.has(Number(seat)))
    .flatMap(([, shown]) => shown.best ?? []);
  return best.length ? new Set(best) : null;
}
