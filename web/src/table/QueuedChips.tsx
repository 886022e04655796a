import type { View } from "../api/types.ts";
import { t } from "../i18n/index.ts";
import { chipsWords } from "./chips.ts";
import type { TableStore } from "./store.ts";

/** The stacks that change when the hand is over; the host may take a change back. */
export function QueuedChips({ table, view }: { table: TableStore; view: View }) {
  return (
    <>
      {view.chips_queued.map(({ seat, chips, reason }) => (
        <p key={seat} class="notice">
          {chipsWords(table.seatName(seat), chips, reason)}{" "}
          {view.you?.host && (
            <button type="button" class="button small" onClick={() => void table.host("cancel_correction", { seat })}>
              {t("queued.cancel")}
            </button>
          )}
        </p>
      ))}
    </>
  );
}
