import type { Settings } from "../../api/types.ts";
import { num, t, tryT, type Key } from "../../i18n/index.ts";
import type { PokerGame, PokerLegal, PokerPrivate, PokerSize, PokerState } from "./types.ts";

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

/** A hand by its code, a category and the ranks that tell it: 'Two pair, aces and kings, queen kicker' for two_pair:AKQ. */
export function madeName(code: string | null | undefined): string {
  if (!code) return "";
  const [category = "", ranks = ""] = code.split(":");
  if (category === "low") return t("made.low", { ranks: [...ranks].join("-") });
  const [first = "", second = "", third = ""] = ranks;
  const one = (rank: string) => tryT(`rank.${rank}`, rank);
  const many = (rank: string) => tryT(`ranks.${rank}`, rank);
  return tryT(`made.${category}`, category, { many1: many(first), many2: many(second), one1: one(first), one2: one(second), one3: one(third) });
}

/** The kind of a hand in a word or two: 'Two pair' for two_pair:AKQ. */
export function kindName(code: string): string {
  const category = code.split(":")[0] ?? "";
  if (category === "low") return madeName(code);
  return tryT(`kind.${category}`, category);
}

/** The sizes that the server offers. What a limit allows at most, short of all-in, is the size of the pot, and is called so. */
export function sizesOf({ sizes, max, all_in }: Pick<PokerLegal, "sizes" | "max" | "all_in">): PokerSize[] {
  if (max >= all_in) return sizes;
  return [...sizes.filter(({ to }) => to !== max), { name: "pot", percent: 100, to: max }];
}

const PARTS: Record<number, string> = { 33: "⅓", 50: "½", 75: "¾" };

/** A size in few characters: '3 bb', '2.5×', '½', 'Pot', 'All-in'. */
export function sizeName({ name, percent }: PokerSize): string {
  switch (name) {
    case "big_blind":
      return t("size.blinds", { n: num(percent / 100) });
    case "bet":
      return t("size.times", { n: num(percent / 100) });
    case "pot":
      return percent === 100 ? t("size.pot") : (PARTS[percent] ?? `${percent} %`);
    case "limit":
      return t("size.limit");
    case "all_in":
      return t("size.allin");
  }
}

/** What a hand makes on every board, high and low: in full where that is one thing, else the kinds side by side. */
export function worthOf(own: PokerPrivate | null): string {
  if (!own?.made) return "";
  const more = own.more?.flatMap(({ made }) => made ?? []) ?? [];
  return more.length ? [own.made, ...more].map(kindName).join(" · ") : madeName(own.made);
}

/** 'Pot-limit Omaha'. */
export function playedName({ variant, limit }: PokerGame): string {
  const game = tryT(`set.variant.${variant}`, variant);
  return limit === "no-limit" ? game : `${tryT(`set.limit.${limit}`, limit)} ${game}`;
}

/** Whether hands at a table with these settings may have notes: the room for them is then kept, so that nothing moves. */
export function mayHaveNotes(settings: Settings): boolean {
  const { choice = "fixed", double_board: double = "never", run_it: runs = 1, bomb_ante: bomb, seven_deuce: bounty, button_blind: button } = settings;
  return choice !== "fixed" || double !== "never" || Number(runs) > 1 || Boolean(bomb) || Boolean(bounty) || Boolean(button);
}

/** What there is to know of this hand beyond cards and blinds: the game, where games change, and what the host has added. */
export function handNotes({ game, next }: PokerState, choice: unknown): string[] {
  if (!game) return [];
  const notes: string[] = [];
  // Where one game is played, the head of the page names it.
  if (choice === "rotation" || choice === "dealer") notes.push(playedName(game));
  if (game.bomb) notes.push(t("note.bomb", { amount: num(game.bomb) }));
  if (game.boards) notes.push(t("note.boards"));
  if (game.runs) notes.push(t("note.runs", { n: game.runs }));
  if (game.button_blind) notes.push(t("note.buttonBlind"));
  if (game.seven_deuce) notes.push(t("note.sevenDeuce", { amount: num(game.seven_deuce) }));
  if (next?.bomb) notes.push(t("note.nextBomb"));
  if (next?.game) notes.push(next.hands ? t("note.nextIn", { game: playedName(next.game), n: next.hands }) : t("note.next", { game: playedName(next.game) }));
  return notes;
}
