import type { View } from "../api/types.ts";
import { t } from "../i18n/index.ts";
import { QueuedSettings } from "./QueuedSettings.tsx";
import type { TableStore } from "./store.ts";

/** What everybody at a table has to know: it is closed, its settings will change, one was removed. */
export function Notices({ table, view }: { table: TableStore; view: View }) {
  return (
    <div class="notices">
      {view.status === "closed" && <p class="notice">{t("say.closed")}</p>}
      <QueuedSettings table={table} view={view} />
      {view.you?.kicked && <p class="notice">{t("table.kicked")}</p>}
    </div>
  );
}
