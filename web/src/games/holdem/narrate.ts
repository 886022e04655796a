import type { View, WireEvent } from "../../api/types.ts";
import { listed, num, t, type Key } from "../../i18n/index.ts";
import type { Said } from "../../table/narrate.ts";
import { signed } from "../../table/chips.ts";
import { partsOf } from "./stage/results.ts";
import type { PokerLegal, PokerPrivate, PokerResult, PokerState } from "./types.ts";
import { cardNames, madeName, playedName } from "./words.ts";

type Name = (seat: unknown) => string;
type Poker = View<PokerState, PokerPrivate, PokerLegal>;

const KINDS: Record<string, Key> = { small_blind: "say.small", big_blind: "say.big", ante: "say.ante", straddle: "say.straddle", button_blind: "say.buttonBlind" };
const STREETS: Record<string, Key> = { flop: "street.flop", turn: "street.turn", river: "street.river" };

/** What the listener would have to put in to go on; nothing where they are not in the hand. */
function toCall(view: Poker): number {
  return view.state.players.find((player) => player.seat === view.you?.seats[0])?.call ?? 0;
}

/** Puts an event of a poker hand into words. */
export function tellPoker(event: WireEvent, view: Poker, name: Name): Said {
  const who = event.seat == null ? "" : name(event.seat);
  switch (event.type) {
    case "hand_started":
      return { text: [t("say.hand", { n: num(Number(event.hand)), name: name(event.button) }), ...opened(event)].join(". "), head: true };
    case "posted":
      return t("say.posted", { name: who, amount: num(Number(event.amount)), kind: t(KINDS[String(event.kind)] ?? "say.blind") });
    case "dealt":
      return t("say.dealt", { cards: cardNames((event.cards as string[] | undefined) ?? []) });
    case "acted":
      return acted(event, view, who);
    case "street":
      return street(event, view);
    case "returned":
      return t("say.returned", { name: who, amount: num(Number(event.amount)) });
    case "shown":
      return shown(event, who);
    case "mucked":
      return t("say.mucked", { name: who });
    case "hand_ended":
      return ended(event, name);
    case "straddle_set":
      return t(event.on ? "say.straddleOn" : "say.straddleOff", { name: who });
    case "bomb_asked":
      return t(!event.on ? "say.bombOff" : event.host ? "say.bombHost" : "say.bombOn", { name: who });
    case "runs_offered":
      return t("say.runOffered", { names: (event.seats as number[]).map(name).join(", "), n: Number(event.most) });
    case "run_answered":
      return t(Number(event.times) > 1 ? "say.runYes" : "say.runOnce", { name: who, n: Number(event.times) });
    case "runs_agreed":
      return Number(event.times) > 1 ? t("say.runAgreed", { n: Number(event.times) }) : null;
    case "rabbit":
      return t("say.rabbit", { name: who, cards: (event.boards as string[][]).map(cardNames).join(" / ") });
    case "bounty":
      return t("say.bounty", { name: who, amount: num(Object.values(event.paid as Record<string, number>).reduce((sum, chips) => sum + chips, 0)) });
    case "choice_offered":
      return t("say.choice", { name: who });
    case "game_chosen":
      return chosen(event, name);
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

/** What is special about a hand that begins. */
function opened(event: WireEvent): string[] {
  const notes: string[] = [];
  if (event.bomb) notes.push(t("say.bomb", { amount: num(Number(event.bomb)) }));
  if (Number(event.boards ?? 1) > 1) notes.push(t("note.boards"));
  return notes;
}

/** Of several boards, each street says which one it is about. */
function street(event: WireEvent, view: Poker): string {
  const text = t("say.street", { street: t(STREETS[String(event.street)] ?? "street.flop"), cards: cardNames((event.cards as string[] | undefined) ?? []) });
  const several = event.board !== undefined || (view.state.boards?.length ?? 1) > 1;
  return several ? `${t("poker.boardN", { n: Number(event.board ?? 0) + 1 })}, ${text}` : text;
}

function chosen(event: WireEvent, name: Name): string {
  const game = playedName({ variant: String(event.variant), limit: String(event.limit) });
  return event.seat == null ? t("say.game.now", { game }) : t("say.game.chosen", { name: name(event.seat), game });
}

/** Who won what; where pots have parts, also which board and which half each of them won. */
function ended(event: WireEvent, name: Name): string {
  const pots = event.pots as PokerResult["pots"];
  const whole = won((event.payouts as Record<string, number> | undefined) ?? {}, name);
  if (!pots.some((pot) => pot.parts?.length)) return whole;
  const parts = partsOf({ pots });
  const boards = parts.some((part) => part.board > 0);
  const sides = parts.some((part) => part.side === "low");
  const told = parts.map((part) => {
    const where = [boards && t("poker.boardN", { n: part.board + 1 }), sides && t(part.side === "low" ? "part.low" : "part.high")].filter(Boolean).join(", ");
    return t("say.part", { part: where, names: listed(part.winners.map(name)), amount: num(part.amount) });
  });
  return `${whole} (${told.join("; ")})`;
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
  const low = event.low as string | undefined;
  const hand = [madeName(event.made as string | undefined), madeName(low)].filter(Boolean).join(" · ");
  const places = { name, cards: cardNames((event.cards as string[] | undefined) ?? []), hand };
  return hand ? t("say.shownHand", places) : t("say.shown", places);
}

function won(payouts: Record<string, number>, name: Name): string {
  return Object.entries(payouts)
    .filter(([, amount]) => amount > 0)
    .map(([seat, amount]) => t("say.wins", { name: name(Number(seat)), amount: num(amount) }))
    .join(". ");
}
