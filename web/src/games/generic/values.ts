import type { Json } from "../../api/types.ts";
import { num, t, tryT } from "../../i18n/index.ts";
import { plain } from "../../lobby/describe.ts";

/** What the page of any game makes of the values in its views and events: the one place that guesses what they mean. */

export type Name = (seat: unknown) => string;
export type Fields = Record<string, Json>;

const CARD = /^([2-9TJQKA]|10)([cdhs])$/;
const SIGNS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
/** Members whose numbers are seats. */
const SEATS = /(^|_)(seat|player|actor|winner|loser|dealer|leader|button|opponent|target|partner|order|owner)s?$/;
/** Members that say who acts, which the page shows at the players themselves. */
export const TURN = new Set(["actor", "actors"]);

export const isFields = (value: Json | undefined): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

export const isCard = (value: Json | undefined): value is string => typeof value === "string" && CARD.test(value);

/** The form of a card that the page draws: 'Th' for '10h'. */
export const cardOf = (text: string): string => text.replace("10", "T");

export function namesSeats(name: string): boolean {
  return SEATS.test(name);
}

/** Whether the members of an object are seats: points by seat, cards by seat. */
export function bySeat(value: Json | undefined, seats: number): value is Fields {
  if (!isFields(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key) && Number(key) < seats);
}

/** What a member is called: in the page's words where it has some, else its identifier as words. */
export function label(name: string): string {
  return tryT(`fact.${name}`, plain(name));
}

/** A value in words, for a line of text; `card` says how a card is written. */
export function inWords(name: string, value: Json | undefined, who: Name, seats: number, card = cardText): string {
  if (value === null || value === undefined) return t("fact.none");
  if (typeof value === "boolean") return t(value ? "queued.on" : "queued.off");
  if (typeof value === "number") return namesSeats(name) ? who(value) : num(value);
  if (isCard(value)) return card(value);
  if (typeof value === "string") return /^[a-z0-9]+([_-][a-z0-9]+)+$/.test(value) ? plain(value) : value;
  if (Array.isArray(value)) return value.map((one) => inWords(name, one, who, seats, card)).join(", ");
  const part = bySeat(value, seats)
    ? ([key, one]: [string, Json]) => `${who(Number(key))} ${inWords("", one, who, seats, card)}`
    : ([key, one]: [string, Json]) => `${label(key)} ${inWords(key, one, who, seats, card)}`;
  return Object.entries(value).map(part).join(", ");
}

/** 'A♠' for 'As'. */
export function cardText(card: string): string {
  const [, rank = "", suit = ""] = CARD.exec(card) ?? [];
  return `${rank === "T" ? "10" : rank}${SIGNS[suit] ?? ""}`;
}

/** What is public about each seat, taken out of the state: what it keeps by seat, and rows that name their seat. */
export function seatFacts(state: Fields, seats: number): Map<number, [string, Json][]> {
  const found = new Map<number, [string, Json][]>();
  const add = (seat: number, fact: [string, Json]) => found.set(seat, [...(found.get(seat) ?? []), fact]);
  for (const [name, value] of Object.entries(state)) {
    if (bySeat(value, seats)) for (const [seat, one] of Object.entries(value)) add(Number(seat), [name, one]);
    if (isRows(value)) {
      for (const { seat, ...row } of value) for (const fact of Object.entries(row)) add(Number(seat), fact as [string, Json]);
    }
  }
  return found;
}

/** What is left of the state for the middle of the table. */
export function tableFacts(state: Fields, seats: number): [string, Json][] {
  return Object.entries(state).filter(([name, value]) => !TURN.has(name) && !bySeat(value, seats) && !isRows(value) && !isEmpty(value));
}

/** Rows of one player each, such as poker's players. */
function isRows(value: Json | undefined): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => isFields(one) && typeof one.seat === "number");
}

export function isEmpty(value: Json): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** The seats that the game waits for, as far as the state says so. */
export function actingSeats(state: Fields): number[] {
  return [...TURN].flatMap((name) => state[name] ?? []).filter((seat): seat is number => typeof seat === "number");
}
