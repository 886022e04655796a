import { t, tryT, type Key } from "../i18n/index.ts";

const SUITS: Record<string, Key> = { c: "suit.c", d: "suit.d", h: "suit.h", s: "suit.s" };

/** 'Ace of spades' for 'As'. */
export function cardName(card: string): string {
  const rank = card.slice(0, -1);
  const suit = SUITS[card.slice(-1)];
  return suit ? t("card.of", { rank: tryT(`rank.${rank}`, rank), suit: t(suit) }) : card;
}

export function cardNames(cards: readonly string[]): string {
  return cards.map(cardName).join(", ");
}

const CATEGORIES: readonly (readonly [RegExp, Key])[] = [
  [/^royal/i, "hand.royal"],
  [/straight flush/i, "hand.straightFlush"],
  [/four of a kind|quads/i, "hand.four"],
  [/full house/i, "hand.fullHouse"],
  [/flush/i, "hand.flush"],
  [/straight/i, "hand.straight"],
  [/three of a kind|trips/i, "hand.three"],
  [/two pair/i, "hand.twoPair"],
  [/pair/i, "hand.pair"],
  [/high/i, "hand.high"],
];

/** A hand's name in the reader's language. The server speaks English, in full; other languages name the category. */
export function handName(name: string | null | undefined, inEnglish: boolean): string {
  if (!name) return "";
  const category = CATEGORIES.find(([pattern]) => pattern.test(name));
  return inEnglish || !category ? name : t(category[1]);
}
