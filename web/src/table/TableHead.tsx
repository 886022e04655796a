import type { View } from "../api/types.ts";
import { gameOf } from "../games/index.ts";
import { loadWords, t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { useState } from "preact/hooks";
import { tableCode } from "./code.ts";
import { Unread } from "./SidePanel.tsx";
import type { TableStore } from "./store.ts";

const TableMenu = lazy<{ table: TableStore; onClose(): void }>(async () => {
  const [menu] = await Promise.all([import("./TableMenu.tsx"), loadWords("host", "settings")]);
  return menu.TableMenu;
});

const AtTournament = lazy<{ table: TableStore; code: string }>(async () => {
  const [part] = await Promise.all([import("../tournaments/AtTournament.tsx"), loadWords("tournaments")]);
  return part.AtTournament;
}, true);

interface Props {
  table: TableStore;
  view: View;
  onPanel(): void;
  onInvite(): void;
}

/** The line over the table: where we are, and the way to everything that is not the game itself. */
export function TableHead({ table, view, onPanel, onInvite }: Props) {
  const [menu, setMenu] = useState(false);
  const title = gameTitle(view.game, view.settings);
  const name = String(view.settings.name ?? "");
  const kind = [name && title, gameOf(view.game).stakes(view.settings)].filter(Boolean).join(" · ");
  const unread = table.unread.value;
  const asking = view.requests.length;
  return (
    <header class="table-head">
      <a class="icon-button" href="/" aria-label={t("nav.lobby")}>
        <Icon name="home" />
      </a>
      <div class="table-title">
        <h1 class="ellipsis">{name || title}</h1>
        <small class="ellipsis">
          {[kind, tableCode(view.code), view.spectators > 0 && t("table.watching", { n: view.spectators })].filter(Boolean).join(" · ")}
        </small>
      </div>
      {view.tournament && (
        <div class="at-tournament">
          <AtTournament table={table} code={view.tournament} />
        </div>
      )}
      <button type="button" class="button small invite-button" aria-label={t("invite")} onClick={onInvite}>
        <Icon name="share" />
        <span class="wide-only">{t("invite")}</span>
      </button>
      <button type="button" class="icon-button panel-button" aria-label={unread ? `${t("panel.open")}, ${t("chat.unread", { n: unread })}` : t("panel.open")} onClick={onPanel}>
        <Icon name="chat" />
        <Unread count={unread} />
      </button>
      <button type="button" class="icon-button" aria-label={t("menu")} aria-haspopup="dialog" onClick={() => setMenu(true)}>
        <Icon name="menu" />
        {asking > 0 && <span class="dot" />}
      </button>
      {menu && <TableMenu table={table} onClose={() => setMenu(false)} />}
    </header>
  );
}
