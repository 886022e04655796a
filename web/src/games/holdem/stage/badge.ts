import type { SeatView } from "../../../api/types.ts";
import { t, tryT } from "../../../i18n/index.ts";
import { money } from "../money.ts";
import type { PokerPlayer, PokerView } from "../types.ts";
import { kindName } from "../words.ts";

export interface Badge {
  text: string;
  kind: "win" | "quiet" | "did" | "bold";
}

/** Whether nobody plays this seat at the moment, though its player may be dealt in. */
export function isAway(seat: SeatView, player: PokerPlayer | null): boolean {
  return Boolean(player?.sitting_out) || (!seat.connected && !seat.player?.bot);
}

/** What the plate of a seat says besides name and chips: winnings, what the hand is, why it does not play, its last action. */
export function badgeOf(view: PokerView, seat: SeatView, player: PokerPlayer | null): Badge | null {
  const { result, blinds } = view.state;
  const won = result?.payouts[String(seat.seat)] ?? 0;
  if (won > 0) return { text: `+${money(won, blinds[1])}`, kind: "win" };
  if (!player) return null;
  const shown = result?.shown[String(seat.seat)]?.made;
  if (shown) return { text: kindName(shown), kind: "did" };
  if (player.status === "sitting_out" || player.status === "busted" || player.status === "waiting") {
    return { text: t(`pod.${player.status}`), kind: "quiet" };
  }
  if (player.status === "folded") return { text: t("did.fold"), kind: "quiet" };
  const did = player.sitting_out ? null : lastAction(player, blinds[1]);
  return did ?? (isAway(seat, player) ? { text: t("pod.away"), kind: "quiet" } : null);
}

function lastAction(player: PokerPlayer, big: number): Badge | null {
  const { type, amount = 0 } = player.last ?? { type: "" };
  const text = tryT(`did.${type}`, "", { amount: money(amount, big) });
  return text ? { text, kind: type === "bet" || type === "raise" ? "bold" : "did" } : null;
}

/** How often this seat wins what it plays for, as an average share, while an all-in is run out. */
export function chanceOf(view: PokerView, seat: number): number | null {
  const { run_out: steps, board, boards = [board], result } = view.state;
  if (!steps || (result && boards.every((one) => one.length === 5))) return null;
  const latest = boards.flatMap((cards, on) => steps.findLast((one) => (one.on ?? 0) === on && one.board <= cards.length) ?? []);
  const shares = latest.flatMap((step) => step.chances[String(seat)]?.equity ?? []);
  return shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null;
}
