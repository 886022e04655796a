import { useEffect, useMemo, useState } from "preact/hooks";
import type { SeatView } from "../../../api/types.ts";
import { felt } from "../../../app/prefs.ts";
import { CardBack, loadCourts } from "../../../art/Card.tsx";
import { DealerDisc } from "../../../art/Chips.tsx";
import { t } from "../../../i18n/index.ts";
import type { PokerPlayer, PokerView } from "../types.ts";
import { useShape } from "../../../ui/useWide.ts";
import { Amount } from "./Amount.tsx";
import { Free } from "./Free.tsx";
import { Hand } from "./Hand.tsx";
import { Board, Pots, Words } from "./Middle.tsx";
import { OWN_FAN, place, type Places } from "./place.ts";
import { at } from "./point.ts";
import { Seat } from "./Seat.tsx";
import { winningCards } from "./winning.ts";

export interface StageProps {
  /** What is shown: the presenter may hold back what the server has said already. */
  view: PokerView;
  /** The seat that is drawn nearest, as one's own; null for somebody who watches. */
  mine: number | null;
  /** The server's time, for what is left of the clock. */
  now(): number;
  /** Takes an empty seat, or brings somebody to it; without it empty seats are not shown. */
  onFree?(seat: number): void;
  /** Opens the quick words, from one's own plate. */
  onReact?: () => void;
  /** Turns over one of one's own cards; without it they cannot be shown one by one. */
  onShow?: ((card: string) => void) | undefined;
}

/**
 * The poker table, drawn from one view. Everything lies where `place` says, in percent of this box; nothing that happens in
 * a hand moves a seat, the board or the box itself. What changes its text, size or place is a new element (by its key), so
 * that nothing counts as shifted.
 */
export function Stage({ view, mine, now, onFree, onReact, onShow }: StageProps) {
  const { seats, state } = view;
  const shape = useShape();
  // By the table's settings, so that nothing moves when a hand with two boards comes.
  const { double_board: doubled = "never", run_it: runs = 1, variant = "", choice = "fixed" } = view.settings;
  const [manyBoards, manyCards] = [doubled !== "never" || Number(runs) > 1, choice !== "fixed" || String(variant).includes("omaha")];
  const occupied = seats.filter((seat) => seat.player).map((seat) => seat.seat);
  const places = useMemo(() => place(occupied, seats.length, mine, shape, { manyBoards, manyCards }), [occupied.join(), seats.length, mine, shape, manyBoards, manyCards]);
  const people = seats.filter((seat) => seat.player);
  const winning = winningCards(view);
  const player = (seat: SeatView): PokerPlayer | null => state.players.find((one) => one.seat === seat.seat) ?? null;
  const big = state.blinds[1];
  const button = state.button === null ? undefined : places.seats[state.button];
  return (
    <div class={`stage felt-${felt.value}`} data-stage data-shape={shape} data-actor={state.actor ?? undefined} data-seq={view.seq} style={measures(places)}>
      <div class="rail" aria-hidden="true">
        <div class="cloth" data-spot="felt" />
      </div>
      <Pots view={view} places={places} />
      {people.map((seat) => {
        const bet = player(seat)?.bet ?? 0;
        const spot = places.seats[seat.seat];
        return spot && bet > 0 ? <Amount key={`${seat.seat} ${bet}`} spot={`bet-${seat.seat}`} at={spot.bet} amount={bet} big={big} class="bet" /> : null;
      })}
      {button && (
        <span key={state.button} class="at dealer-disc" data-spot="button" data-seat={state.button} style={at(button.button)}>
          <DealerDisc />
        </span>
      )}
      <Board view={view} places={places} winning={winning} />
      <ul class="seats" aria-label={t("poker.seats")}>
        {people.map((seat) => (
          <Seat key={seat.seat} view={view} seat={seat} player={player(seat)} spot={places.seats[seat.seat]} own={seat.seat === mine} now={now} onReact={seat.seat === mine ? onReact : undefined} />
        ))}
      </ul>
      {people.map((seat) => (
        <Hand key={seat.seat} view={view} player={player(seat)} spot={places.seats[seat.seat]} own={seat.seat === mine} winning={winning} onShow={seat.seat === mine ? onShow : undefined} />
      ))}
      {onFree &&
        seats.map(({ seat, player: taken }) => {
          const spot = places.free[seat];
          return !taken && spot ? <Free key={seat} seat={seat} at={spot} seated={mine !== null} onFree={onFree} /> : null;
        })}
      <Words view={view} places={places} />
      <DeckAtHand />
      <div class="effects" data-spot="effects" aria-hidden="true" />
    </div>
  );
}

/** Milliseconds after which the page has nothing more urgent to do. */
const AT_REST = 1000;

/** The drawings that the first hand needs, made ready before it is dealt: court figures, and a card from behind. */
function DeckAtHand() {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setReady(true);
      loadCourts();
    }, AT_REST);
    return () => clearTimeout(timer);
  }, []);
  return ready ? (
    <span class="deck-at-hand">
      <CardBack />
    </span>
  ) : null;
}

/** The sizes for the style sheet, in units. */
function measures({ sizes, seats, shape }: Places): Record<string, number> {
  return {
    "--plate-w": sizes.plate.w,
    "--plate-h": sizes.plate.h,
    "--own-w": sizes.ownPlate.w,
    "--own-h": sizes.ownPlate.h,
    "--free": sizes.free,
    "--board-card": sizes.board,
    "--hidden-card": sizes.hidden,
    "--open-card": sizes.open,
    "--own-card": sizes.own,
    "--hand-w": sizes.hand,
    "--own-hand-w": sizes.ownHand,
    "--own-fan": OWN_FAN,
    "--disc-w": sizes.button,
    // The name of one's hand may reach to the neighbours.
    "--made-w": shape === "landscape" ? 56 : Object.keys(seats).length > 6 ? 44 : 60,
  };
}
