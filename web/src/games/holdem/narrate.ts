import type { View, WireEvent } from "../../api/types.ts";
import { num, t, type Key } from "../../i18n/index.ts";
import type { Said } from "../../table/narrate.ts";
import { signed } from "../../table/chips.ts";
import type { PokerLegal, PokerPrivate, PokerState } from "./types.ts";
import { cardNames, madeName } from "./words.ts";

type Name = (seat: unknown) => string;
type Poker = View<PokerState, PokerPrivate, PokerLegal>;

const KINDS: Record<string, Key> = { small_blind: "say.small", big_blind: "say.big", ante: "say.ante" };
const STREETS: Record<string, Key> = { flop: "street.flop", turn: "street.turn", river: "street.river" };

/** What the listener would have to put in to go on; nothing where they are not in the hand. */
function toCall(view: Poker): number {
  return view.state.players.find((player) => player.seat === view.you?.seats[0])?.call ?? 0;
}

/** Puts an event of a poker hand into words. */
export function tellPoker(event: WireEvent, view: Poker, name: Name): Said {
  const who = event.seat === undefined ? "" : name(event.seat);
  switch (event.type) {
    case "hand_started":
      return { text: t("say.hand", { n: num(Number(event.hand)), name: name(event.button) }), head: true };
    case "posted":
      return t("say.posted", { name: who, amount: num(Number(event.amount)), kind: t(KINDS[String(event.kind)] ?? "say.blind") });
    case "dealt":
      return t("say.dealt", { cards: cardNames((event.cards as string[] | undefined) ?? []) });
    case "acted":
      return acted(event, view, who);
    case "street":
      return t("say.street", { street: t(STREETS[String(event.street)] ?? "street.flop"), cards: cardNames((event.cards as string[] | undefined) ?? []) });
    case "returned":
      return t("say.returned", { name: who, amount: num(Number(event.amount)) });
    case "shown":
      return shown(event, who);
    case "mucked":
      return t("say.mucked", { name: who });
    case "hand_ended":
      return won((event.payouts as Record<string, number> | undefined) ?? {}, name);
    case "sat_out":
      return t("say.satOut", { name: who });
    case "sat_in":
      return t("say.satIn", { name: who });
    case "bought_in":
      return t("say.boughtIn", { name: who, amount: num(Number(event.chips)) });
    case "stack_corrected":
      return t("say.corrected", { name: who, chips: signed(Number(event.chips)), reason: String(event.reason) });
    case "new_game":
      return t("say.game");
    case "level_raised":
      return t("say.level", { blinds: view.state.blinds.join("/") });
    default:
      return null;
  }
}

function acted(event: WireEvent, view: Poker, name: string): Said {
  const places = { name, amount: num(Number(event.total ?? event.amount ?? 0)), added: num(Number(event.amount ?? 0)) };
  const key = `say.${String(event.action)}` as Key;
  const text = event.all_in ? t("say.allin", places) : t(key, places);
  const due = toCall(view);
  const mine = event.seat === view.you?.seats[0];
  return { text, spoken: due > 0 && !mine ? `${text}, ${t("say.toCall", { amount: num(due) })}` : text };
}

/** Cards that are turned over before the board is complete have no name yet. */
function shown(event: WireEvent, name: string): string {
  const hand = madeName(event.made as string | undefined);
  const places = { name, cards: cardNames((event.cards as string[] | undefined) ?? []), hand };
  return hand ? t("say.shownHand", places) : t("say.shown", places);
}

function won(payouts: Record<string, number>, name: Name): string {
  return Object.entries(payouts)
    .filter(([, amount]) => amount > 0)
    .map(([seat, amount]) => t("say.wins", { name: name(Number(seat)), amount: num(amount) }))
    .join(". ");
}
