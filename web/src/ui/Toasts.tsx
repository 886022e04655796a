import { dismiss, toasts } from "../app/live.ts";
import { t } from "../i18n/index.ts";
import { Icon } from "./Icon.tsx";

/** Short notices over the page, or over the dialog that is open. */
export function Toasts() {
  return (
    <div class="toasts">
      {toasts.value.map((one) => (
        <div key={one.id} class={`toast ${one.kind}`}>
          <span>{one.text}</span>
          <button type="button" class="icon-button" aria-label={t("close")} onClick={() => dismiss(one.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
