import { useState } from "preact/hooks";
import { Refusal } from "../api/http.ts";
import { excuse } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";
import { ask, unlock } from "./secret.ts";

/** Asks for the operator's secret, and says where it is found. */
export function Unlock() {
  const [shown, setShown] = useState("");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const open = async (event: Event) => {
    event.preventDefault();
    const given = shown.trim();
    if (!given || busy) return;
    setBusy(true);
    setFault("");
    try {
      await ask("GET", "", given);
      unlock(given);
    } catch (error) {
      setFault(reason(error));
      setBusy(false);
    }
  };
  return (
    <section class="panel" aria-labelledby="unlock">
      <h2 id="unlock">{t("house.unlock")}</h2>
      <p class="muted">{t("house.unlock.hint")}</p>
      <p class="command">
        <code>parlour admin secret --data {t("house.folder")}</code>
      </p>
      <form class="stack" onSubmit={(event) => void open(event)}>
        <Field label={t("house.secret")} hint={t("house.secret.hint")}>
          {(id) => (
            <input
              id={id}
              type="password"
              autocomplete="off"
              spellcheck={false}
              value={shown}
              aria-invalid={fault ? "true" : undefined}
              aria-describedby={fault ? "secret-fault" : undefined}
              onInput={(event) => setShown(event.currentTarget.value)}
            />
          )}
        </Field>
        <p id="secret-fault" class="fault" role="alert" hidden={!fault}>
          {fault}
        </p>
        <button type="submit" class="button primary lone" disabled={!shown.trim() || busy}>
          {t("house.open")}
        </button>
      </form>
    </section>
  );
}

function reason(error: unknown): string {
  if (!(error instanceof Refusal)) return excuse(error);
  if (error.code === "operator_only") return t("house.wrong");
  return error.status === 429 ? t("house.wrong.often") : excuse(error);
}
