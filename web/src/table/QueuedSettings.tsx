import type { View } from "../api/types.ts";
import { t } from "../i18n/index.ts";
import { queuedWords } from "../lobby/describe.ts";
import type { TableStore } from "./store.ts";

/** What the host has changed for the next hand or game; the host may take it back. */
export function QueuedSettings({ table, view }: { table: TableStore; view: View }) {
  if (!Object.keys(view.queued).length) return null;
  return (
    <p class="notice">
      {queuedWords(view.game, view.queued, view.settings)}{" "}
      {view.you?.host && (
        <button type="button" class="button small" onClick={() => void table.host("cancel_settings")}>
          {t("queued.cancel")}
        </button>
      )}
    </p>
  );
}
