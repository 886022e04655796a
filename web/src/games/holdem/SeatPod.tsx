import type { SeatView } from "../../api/types.ts";
import { num, t, tryT } from "../../i18n/index.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Card, CardBack } from "../../art/Card.tsx";
import { Countdown } from "./Countdown.tsx";
import { winningCards } from "./Felt.tsx";
import { money } from "./money.ts";
import type { Place } from "./places.ts";
import type { PokerPlayer, PokerView } from "./types.ts";
import { cardNames } from "./words.ts";

interface Props {
  now(): number;
  view: PokerView;
  seat: SeatView;
  player: PokerPlayer | null;
  place: Place;
  own: boolean;
}

/** One seat: who sits there, their chips and cards, what they did last and how long they have. */
export function SeatPod({ now, view, seat, player, place, own }: Props) {
  const style = { "--x": `${place.x}%`, "--y": `${place.y}%` };
  if (!seat.player) {
    return (
      <li class={`pod free ${place.side}`} style={style}>
        <span class="free-mark">{t("seat.n", { n: seat.seat + 1 })}</span>
      </li>
    );
  }
  const { state } = view;
  const big = state.blinds[1];
  const acting = state.actor === seat.seat;
  const won = (state.result?.payouts[String(seat.seat)] ?? 0) > 0;
  const status = player?.status ?? "waiting";
  const classes = ["pod", place.side, `is-${status}`, acting && "acting", won && "won", own && "own", isAway(seat, player) && "away"];
  return (
    <li class={classes.filter(Boolean).join(" ")} style={style} aria-label={describe(view, seat, player)}>
      <PodCards view={view} player={player} own={own} />
      <div class="plate">
        <Avatar person={seat.player} size="small" />
        <span class="plate-text">
          <span class="name ellipsis">{seat.player.name}</span>
          <span class="chips-left">{player ? money(player.stack, big) : "–"}</span>
        </span>
        {state.button === seat.seat && (
          <span class="button-mark" aria-hidden="true">
            D
          </span>
        )}
        {acting && <Countdown now={now} deadline={view.deadline} />}
      </div>
      {!own && <PodNote view={view} player={player} won={won} seat={seat.seat} />}
    </li>
  );
}

/** Whether nobody plays this seat at the moment, though its player may be dealt in. */
function isAway(seat: SeatView, player: PokerPlayer | null): boolean {
  return Boolean(player?.sitting_out) || (!seat.connected && !seat.player?.bot);
}

function PodCards({ view, player, own }: { view: PokerView; player: PokerPlayer | null; own: boolean }) {
  const winning = winningCards(view);
  const cards = own ? (view.private?.cards ?? player?.cards) : player?.cards;
  if (cards?.length) {
    return (
      <span class="pod-cards shown">
        {cards.map((card) => (
          <Card key={card} card={card} dim={winning !== null && !winning.has(card)} />
        ))}
      </span>
    );
  }
  const hidden = player && player.status !== "folded" ? player.holds : 0;
  return (
    <span class="pod-cards">
      {Array.from({ length: hidden }, (_, index) => (
        <CardBack key={index} />
      ))}
    </span>
  );
}

/** What lies before the seat: its bet, its winnings, or why it does not play. */
function PodNote({ view, player, won, seat }: { view: PokerView; player: PokerPlayer | null; won: boolean; seat: number }) {
  const big = view.state.blinds[1];
  if (won) return <span class="note won">+{money(view.state.result?.payouts[String(seat)] ?? 0, big)}</span>;
  if (!player) return null;
  if (player.bet > 0) {
    return (
      <span class="note bet">
        <i class="chip" />
        {money(player.bet, big)}
      </span>
    );
  }
  if (player.sitting_out && (player.status === "active" || player.status === "folded")) return <span class="note">{t("pod.away")}</span>;
  const word =
    player.status === "folded" || player.status === "sitting_out" || player.status === "waiting" || player.status === "busted" || player.status === "allin"
      ? tryT(`pod.${player.status}`, player.status)
      : player.last
        ? tryT(`did.${player.last.type}`, "")
        : "";
  return word ? <span class="note">{word}</span> : null;
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
