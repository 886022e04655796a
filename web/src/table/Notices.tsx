import type { View } from "../api/types.ts";
import { t } from "../i18n/index.ts";
import { lazy } from "../ui/Lazy.tsx";
import { graceLeft } from "./grace.ts";
import type { TableStore } from "./store.ts";

/** What will change comes when there is something: most hands do without. */
const Queued = lazy<{ table: TableStore; view: View }>(async () => (await import("./Queued.tsx")).Queued, true);

/** What everybody at a table has to know: it is closed, its settings or a stack will change, one was removed. */
export function Notices({ table, view }: { table: TableStore; view: View }) {
  const { you } = view;
  const grace = graceLeft(you?.grace, Number(view.settings.grace ?? 0), table.now());
  return (
    <div class="notices">
      {view.status === "closed" && <p class="notice">{t("say.closed")}</p>}
      {(view.chips_queued.length > 0 || Object.keys(view.queued).length > 0) && <Queued table={table} view={view} />}
      {grace !== null && <p class="notice">{t("table.grace", { left: grace })}</p>}
      {you?.kicked && <p class="notice">{you.kick_reason ? t("table.kickedReason", { reason: you.kick_reason }) : t("table.kicked")}</p>}
    </div>
  );
}
