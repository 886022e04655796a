import type { View } from "../api/types.ts";
import { t } from "../i18n/index.ts";
import { queuedWords } from "../lobby/describe.ts";
import { chipsWords } from "./chips.ts";
import type { TableStore } from "./store.ts";

interface Props {
  table: TableStore;
  view: View;
}

/** What changes when the hand or game is over; the host may take a change back. */
export function Queued({ table, view }: Props) {
  const cancel = (power: string, args?: { seat: number }) =>
    view.you?.host && (
      <button type="button" class="button small" onClick={() => void table.host(power, args)}>
        {t("queued.cancel")}
      </button>
    );
  return (
    <>
      {Object.keys(view.queued).length > 0 && (
        <p class="notice">
          {queuedWords(view.game, view.queued, view.settings)} {cancel("cancel_settings")}
        </p>
      )}
      {view.chips_queued.map(({ seat, chips, reason }) => (
        <p key={seat} class="notice">
          {chipsWords(table.seatName(seat), chips, reason)} {cancel("cancel_correction", { seat })}
        </p>
      ))}
    </>
  );
}
