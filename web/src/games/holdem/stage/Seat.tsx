import type { SeatView } from "../../../api/types.ts";
import { num, t, tryT } from "../../../i18n/index.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Name } from "../../../ui/Name.tsx";
import { money } from "../money.ts";
import type { PokerPlayer, PokerView } from "../types.ts";
import { cardNames } from "../words.ts";
import { Counting } from "../presenter/Counting.tsx";
import { badgeOf, chanceOf, isAway } from "./badge.ts";
import { Bubble } from "./Bubble.tsx";
import type { SeatPlace } from "./place.ts";
import { at } from "./point.ts";
import { TimeRing } from "./TimeRing.tsx";

interface Props {
  view: PokerView;
  seat: SeatView;
  player: PokerPlayer | null;
  spot: SeatPlace | undefined;
  own: boolean;
  now(): number;
  onReact?: () => void;
}

/** One plate: face, name and chips of a person, what they did last and how long they have. */
export function Seat({ view, seat, player, spot, own, now, onReact }: Props) {
  if (!seat.player || !spot) return null;
  const { state } = view;
  const acting = state.actor === seat.seat;
  const status = player?.status ?? "waiting";
  const badge = badgeOf(view, seat, player);
  const chance = chanceOf(view, seat.seat);
  const allIn = status === "allin" && player?.stack === 0 && !state.result;
  const classes = ["at seat", `is-${status}`, own && "own", spot.far && "far", acting && "acting", badge?.kind === "win" && "won", isAway(seat, player) && "away"];
  return (
    <li class={classes.filter(Boolean).join(" ")} data-spot={`seat-${seat.seat}`} style={at(spot)} aria-label={describe(view, seat, player)}>
      <span class="plate-back" aria-hidden="true" />
      <span class="face-of">
        <Avatar person={seat.player} />
        {acting && player && <TimeRing view={view} player={player} now={now} />}
      </span>
      <span class="plate-text" aria-hidden="true">
        <span class="name">
          <Name name={seat.player.name} />
        </span>
        {/* A figure of another length is another element: nothing has moved, something else is there. */}
        <span key={allIn ? "all-in" : player?.stack} class={allIn ? "stack all-in" : "stack"} data-spot={`stack-${seat.seat}`} data-amount={player?.stack ?? 0}>
          {allIn ? t("pod.allin") : player ? money(player.stack, state.blinds[1]) : "–"}
        </span>
      </span>
      {badge && (
        <span key={badge.text} class={`badge-of ${badge.kind}`} data-spot={`badge-${seat.seat}`} aria-hidden="true">
          {badge.text}
        </span>
      )}
      {chance !== null && (
        <span class="chance" data-spot={`chance-${seat.seat}`} data-chance={chance}>
          <Counting percent={100 * chance} />
        </span>
      )}
      <Bubble view={view} seat={seat.seat} player={seat.player.id} now={now} />
      {onReact && <button type="button" class="react" aria-label={t("react.open")} title={t("react.open")} onClick={onReact} />}
    </li>
  );
}

function describe(view: PokerView, seat: SeatView, player: PokerPlayer | null): string {
  const parts = [t("seat.n", { n: seat.seat + 1 }), seat.player?.name ?? ""];
  if (player) {
    parts.push(t("text.chips", { n: num(player.stack) }));
    if (player.bet) parts.push(t("text.bet", { n: num(player.bet) }));
    parts.push(tryT(`pod.${player.status}`, ""));
    if (player.sitting_out && player.status !== "sitting_out") parts.push(t("pod.away"));
    if (player.cards?.length) parts.push(cardNames(player.cards));
  }
  if (view.state.button === seat.seat) parts.push(t("text.button"));
  if (view.state.actor === seat.seat) parts.push(t("text.acting"));
  return parts.filter(Boolean).join(", ");
}
