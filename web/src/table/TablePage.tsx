import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { me } from "../app/session.ts";
import { loadWords, t } from "../i18n/index.ts";
import { roomAtHand } from "../games/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { useKeptFocus } from "../ui/useKeptFocus.ts";
import "../styles/table.css";
import { JoinPanel } from "./JoinPanel.tsx";
import { Notices } from "./Notices.tsx";
import { SidePanel } from "./SidePanel.tsx";
import { TableHead } from "./TableHead.tsx";
import { TableStore } from "./store.ts";
import { useNotice } from "./useNotice.ts";

const Invite = lazy<{ code: string; onClose(): void }>(async () => {
  const [invite] = await Promise.all([import("./Invite.tsx"), loadWords("host")]);
  return invite.Invite;
}, true);

/** One table: its wire is open for as long as the page is. */
export function TablePage({ code }: { code: string }) {
  const table = useMemo(() => new TableStore(code), [code]);
  const [panel, setPanel] = useState(false);
  const [inviting, setInviting] = useState(false);
  useEffect(() => () => table.close(), [table]);
  useEffect(() => {
    // The log tells what a host changes, so the names of the settings are there before that; the page comes first.
    const timer = setTimeout(() => void loadWords("settings").catch(() => undefined), 2000);
    return () => clearTimeout(timer);
  }, []);
  useNotice(table);
  const view = table.view.value;
  const room = view ? roomAtHand(view.game) : undefined;
  const main = useRef<HTMLDivElement>(null);
  useKeptFocus(main, room !== undefined && me.value !== undefined);
  if (table.missing.value) return <Missing code={code} />;
  if (!view || !room || me.value === undefined) return <Waiting table={table} />;
  const { Table, fillsWindow } = room;
  return (
    <div class={fillsWindow ? "table-page fills-window" : "table-page"}>
      <TableHead table={table} view={view} onPanel={() => setPanel(true)} onInvite={() => setInviting(true)} />
      <LinkBanner table={table} />
      <div class="table-columns">
        <div ref={main} class="table-main" tabIndex={-1}>
          {view.state === null ? (
            <p class="empty">{t("table.closedOff")}</p>
          ) : (
            <Table table={table} onInvite={() => setInviting(true)} />
          )}
          {!fillsWindow && <Notices table={table} view={view} />}
          {!fillsWindow && <JoinPanel table={table} view={view} />}
        </div>
        <SidePanel table={table} open={panel} onClose={() => setPanel(false)} />
      </div>
      {inviting && <Invite code={code} onClose={() => setInviting(false)} />}
    </div>
  );
}

function LinkBanner({ table }: { table: TableStore }) {
  const offline = table.link.value === "offline";
  return (
    <div role="status" class={offline ? "banner" : "visually-hidden"}>
      {offline ? t("offline") : ""}
    </div>
  );
}

function Waiting({ table }: { table: TableStore }) {
  return (
    <div class="page narrow center">
      <h1 class="visually-hidden">{t("table.title", { code: table.code })}</h1>
      <p role="status">{table.broken.value ? t("error.load") : table.link.value === "offline" ? t("offline.shell") : t("loading")}</p>
      <a class="button" href="/">
        {t("lost.back")}
      </a>
    </div>
  );
}

function Missing({ code }: { code: string }) {
  return (
    <div class="page narrow center">
      <h1>{t("table.missing")}</h1>
      <p>{t("table.missing.hint", { code })}</p>
      <a class="button primary" href="/">
        <Icon name="home" />
        {t("lost.back")}
      </a>
    </div>
  );
}
