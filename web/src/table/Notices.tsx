import type { View } from "../api/types.ts";
import { t } from "../i18n/index.ts";
import { QueuedChips } from "./QueuedChips.tsx";
import { QueuedSettings } from "./QueuedSettings.tsx";
import type { TableStore } from "./store.ts";

/** What everybody at a table has to know: it is closed, its settings or a stack will change, one was removed. */
export function Notices({ table, view }: { table: TableStore; view: View }) {
  const { you } = view;
  return (
    <div class="notices">
      {view.status === "closed" && <p class="notice">{t("say.closed")}</p>}
      <QueuedSettings table={table} view={view} />
      <QueuedChips table={table} view={view} />
      {you?.kicked && <p class="notice">{you.kick_reason ? t("table.kickedReason", { reason: you.kick_reason }) : t("table.kicked")}</p>}
    </div>
  );
}
