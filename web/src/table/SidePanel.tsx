import { useState } from "preact/hooks";
import { roomAtHand } from "../games/index.ts";
import { t, type Key } from "../i18n/index.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { useWide } from "../ui/useWide.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Chat } from "./Chat.tsx";
import { HandLog } from "./HandLog.tsx";
import { People } from "./People.tsx";
import type { TableStore } from "./store.ts";

const TABS: readonly (readonly [string, Key, IconName])[] = [
  ["chat", "panel.chat", "chat"],
  ["log", "panel.log", "log"],
  ["people", "panel.people", "people"],
];

interface Props {
  table: TableStore;
  open: boolean;
  onClose(): void;
}

/** What is beside the game: a column on a wide screen, unless the game's own table has it, and a sheet on a phone. */
export function SidePanel({ table, open, onClose }: Props) {
  const wide = useWide();
  if (wide) {
    if (roomAtHand(table.view.value?.game ?? "")?.hasPanel) return null;
    return (
      <aside class="side-panel" aria-label={t("panel.label")}>
        <PanelTabs table={table} />
      </aside>
    );
  }
  return open ? (
    <Dialog title={t("panel.label")} onClose={onClose}>
      <PanelTabs table={table} />
    </Dialog>
  ) : null;
}

/** How many lines of the chat have not been read. */
export function Unread({ count }: { count: number }) {
  if (!count) return null;
  return (
    <span class="unread" aria-label={t("chat.unread", { n: count })} role="img">
      {count > 99 ? "99+" : count}
    </span>
  );
}

/** Chat, log and people, and what the game adds. */
export function PanelTabs({ table }: { table: TableStore }) {
  const [tab, setTab] = useState("chat");
  const panels = roomAtHand(table.view.value?.game ?? "")?.panels ?? [];
  const tabs = [...TABS, ...panels.map(({ id, title, icon }) => [id, title, icon] as const)];
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = tabs.findIndex(([name]) => name === tab);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    setTab(next[0]);
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={t("panel.label")} onKeyDown={move}>
        {tabs.map(([name, key, icon]) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={tab === name}
            aria-controls="tab-panel"
            tabIndex={tab === name ? 0 : -1}
            onClick={() => setTab(name)}
          >
            <Icon name={icon} />
            <span>{t(key)}</span>
            {name === "chat" && tab !== "chat" && <Unread count={table.unread.value} />}
          </button>
        ))}
      </div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === "chat" && <Chat table={table} />}
        {tab === "log" && <HandLog table={table} />}
        {tab === "people" && <People table={table} />}
        {panels.map(({ id, Content }) => tab === id && <Content key={id} table={table} />)}
      </div>
    </>
  );
}
