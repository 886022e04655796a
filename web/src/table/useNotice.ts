import { useEffect } from "preact/hooks";
import { say } from "../app/live.ts";
import { notify } from "../app/prefs.ts";
import { tableName, turnMark } from "../app/title.ts";
import { roomAtHand } from "../games/index.ts";
import { num, t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { play } from "../ui/sound.ts";
import type { TableStore } from "./store.ts";

const ICON = "/icon.svg";
const ICON_TURN = "/icon-turn.svg";

/** Tells the person that it is their turn, wherever they look: title, icon, sound, vibration, notification. */
export function useNotice(table: TableStore): void {
  useOffer(table);
  const mine = table.myTurn.value;
  const turn = table.view.value?.turn;
  const view = table.view.value;
  const name = view ? `${gameTitle(view.game, view.settings)} ${table.code}` : t("table.title", { code: table.code });
  useEffect(() => {
    tableName.value = name;
    return () => void (tableName.value = "");
  }, [name]);
  useEffect(() => {
    turnMark.value = mine ? t("yourTurn") : "";
    if (!mine) return;
    const mark = () => showIcon(document.hasFocus() ? ICON : ICON_TURN);
    mark();
    addEventListener("blur", mark);
    addEventListener("focus", mark);
    return () => {
      turnMark.value = "";
      removeEventListener("blur", mark);
      removeEventListener("focus", mark);
      showIcon(ICON);
    };
  }, [mine]);
  useEffect(() => {
    if (!mine) return;
    const due = (table.view.value?.legal as { call?: number } | null)?.call ?? 0;
    say(due > 0 ? `${t("yourTurn")}, ${t("say.toCall", { amount: num(due) })}` : t("yourTurn"));
    const quiet = !document.hidden && roomAtHand(table.view.value?.game ?? "")?.soundsMoves;
    if (!quiet) void play("myTurn");
    if (!document.hidden) return;
    navigator.vibrate?.([120, 60, 120]);
    if (notify.value && "Notification" in window && Notification.permission === "granted") {
      void notice(t("yourTurn"), t("table.title", { code: table.code }), `/t/${table.code}`);
    }
  }, [mine, turn]);
}

/** Tells the person that a seat is kept for them, for they may look elsewhere while they wait. */
function useOffer(table: TableStore): void {
  const offered = table.view.value?.you?.waiting?.until != null;
  useEffect(() => {
    if (!offered) return;
    turnMark.value = t("waiting.yours");
    say(t("waiting.yours"));
    void play("myTurn");
    if (document.hidden && notify.value && "Notification" in window && Notification.permission === "granted") {
      void notice(t("waiting.yours"), t("table.title", { code: table.code }), `/t/${table.code}`);
    }
    return () => void (turnMark.value = "");
  }, [offered]);
}

/**
 * The icon of the tab. Whoever looks at the page does not need it, and a browser fetches it anew whenever it is set, also
 * to what it is: 50 ms on a slow phone, in the middle of a deal.
 */
function showIcon(path: string): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon && icon.getAttribute("href") !== path) icon.href = path;
}

/** On phones only a service worker may show a notification. */
async function notice(title: string, body: string, path: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  const options = { body, icon: ICON, tag: path, data: { path } };
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options).onclick = () => window.focus();
}
