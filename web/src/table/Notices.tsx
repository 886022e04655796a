import type { View } from "../api/types.ts";
import type { You } from "../api/wire.ts";
import { t } from "../i18n/index.ts";
import { lazy } from "../ui/Lazy.tsx";
import type { TableStore } from "./store.ts";

/** What will change comes when there is something: most hands do without. */
const Queued = lazy<{ table: TableStore; view: View }>(async () => (await import("./Queued.tsx")).Queued, true);

/** What everybody at a table has to know: it is closed, its settings or a stack will change, one was removed. */
export function Notices({ table, view }: { table: TableStore; view: View }) {
  const { you } = view;
  return (
    <div class="notices">
      {view.status === "closed" && <p class="notice">{t("say.closed")}</p>}
      {(view.chips_queued.length > 0 || Object.keys(view.queued).length > 0) && <Queued table={table} view={view} />}
      {you && <GraceLeft table={table} you={you} grace={Number(view.settings.grace ?? 0)} />}
      {you?.kicked && <p class="notice">{you.kick_reason ? t("table.kickedReason", { reason: you.kick_reason }) : t("table.kicked")}</p>}
    </div>
  );
}

/** A second of grace comes back in so many: as the server has it. */
const RETURNS_IN = 20;
const TOLD_FOR = 60_000;

/** How much longer than the clock one may still take without a connection; told for a minute after some of it was used. */
function GraceLeft({ table, you, grace }: { table: TableStore; you: You; grace: number }) {
  const passed = you.grace ? table.now() - you.grace.at : Infinity;
  if (!you.grace || passed > TOLD_FOR) return null;
  const left = Math.min(grace, Math.floor((you.grace.left + Math.max(0, passed) / RETURNS_IN) / 1000));
  return <p class="notice">{t("table.grace", { left })}</p>;
}
