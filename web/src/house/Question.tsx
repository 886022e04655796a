import { useState } from "preact/hooks";
import { attempt } from "../app/session.ts";
import { t } from "../i18n/index.ts";

interface Props {
  text: string;
  action: string;
  onYes(): Promise<unknown>;
  onDone(): void;
}

/** The second question before something that cannot be taken back. */
export function Question({ text, action, onYes, onDone }: Props) {
  const [busy, setBusy] = useState(false);
  const yes = async () => {
    setBusy(true);
    await attempt(onYes);
    onDone();
  };
  return (
    <>
      <p>{text}</p>
      <div class="row wrap question-answers">
        <button type="button" class="button" onClick={onDone}>
          {t("house.cancel")}
        </button>
        <button type="button" class="button danger" disabled={busy} onClick={() => void yes()}>
          {action}
        </button>
      </div>
    </>
  );
}
