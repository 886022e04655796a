import { useState } from "preact/hooks";
import type { SeatRequest, View } from "../api/types.ts";
import { t } from "../i18n/index.ts";
import { Avatar } from "../ui/Avatar.tsx";
import type { TableStore } from "./store.ts";

/** Who asks the host for a seat or for chips: granted, with another amount if the host wants that, or refused. */
export function Requests({ table, view }: { table: TableStore; view: View }) {
  if (!view.requests.length) return null;
  return (
    <ul class="people requests">
      {view.requests.map((request) => (
        <Request key={`${request.player} ${request.kind}`} table={table} request={request} />
      ))}
    </ul>
  );
}

function Request({ table, request }: { table: TableStore; request: SeatRequest }) {
  const { player, name, avatar, bot, kind, amount } = request;
  const [granted, setGranted] = useState(amount);
  const approve = (event: Event) => {
    event.preventDefault();
    void table.host("approve", granted === null || granted === amount ? { player } : { player, amount: granted });
  };
  return (
    <li>
      <form class="request" onSubmit={approve}>
        <Avatar person={{ id: player, name, avatar, bot }} size="small" />
        <span class="grow">{t(kind === "chips" ? "host.asksChips" : "host.asks", { name })}</span>
        <span class="answer">
          {granted !== null && (
            <input
              type="number"
              inputMode="numeric"
              class="amount"
              aria-label={t("host.amount", { name })}
              min={1}
              required
              value={granted}
              onInput={(event) => setGranted(event.currentTarget.valueAsNumber || 0)}
            />
          )}
          <button type="button" class="button small" onClick={() => void table.host("refuse", { player })}>
            {t("host.refuse")}
          </button>
          <button class="button small primary">{t(kind === "chips" ? "host.grant" : "host.approve")}</button>
        </span>
      </form>
    </li>
  );
}
