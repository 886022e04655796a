import { t } from "../i18n/index.ts";
import { Avatar } from "../ui/Avatar.tsx";
import type { TableStore } from "./store.ts";

/** Who is here. */
export function People({ table }: { table: TableStore }) {
  const view = table.view.value;
  if (!view) return null;
  return (
    <ul class="people">
      {view.seats.map(({ seat, player, connected }) =>
        player ? (
          <li key={seat}>
            <Avatar person={player} size="small" />
            <span class="grow ellipsis">{player.name}</span>
            {player.id === view.host && <em class="badge">{t("people.host")}</em>}
            {!connected && !player.bot && <em class="badge quiet">{t("people.away")}</em>}
          </li>
        ) : null,
      )}
      <li class="muted">{t("people.watching", { n: view.spectators })}</li>
    </ul>
  );
}
