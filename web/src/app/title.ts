import { effect, signal } from "@preact/signals";
import { pageAt } from "../games/index.ts";
import { tryT, type Key } from "../i18n/index.ts";
import { path } from "./router.ts";

/** What is played at the table that is open: 'Hold’em ABCDEF'; or the name of the tournament. */
export const tableName = signal("");

/** What waits for the person here; it stands before the name of the page. */
export const turnMark = signal("");

const NAMES: Record<string, Key> = {
  calc: "nav.calc",
  history: "nav.history",
  replay: "replay.title",
  me: "nav.me",
  stats: "stats.title",
  ratings: "ratings.title",
  ladder: "ladder.title",
  people: "people.title",
  tournaments: "tour.title",
  tournament: "tour.title",
  admin: "house.title",
  transfer: "transfer.title",
};

/** What the page is called; nothing for the lobby, which the name of the app stands for. */
function pageName(): string {
  const place = path.value.split("/")[1] ?? "";
  if (tableName.value || place === "" || place === "t") return tableName.value;
  const key = NAMES[place] ?? pageAt(path.value)?.title ?? "lost.title";
  // Words of a part that is still being fetched follow.
  return tryT(key, "");
}

/** Keeps the title of the window true: '● Your turn · Hold’em ABCDEF · Parlour'. */
export function keepTitle(): void {
  effect(() => {
    const title = [turnMark.value && `● ${turnMark.value}`, pageName(), "Parlour"].filter(Boolean).join(" · ");
    if (document.title !== title) document.title = title;
  });
}
