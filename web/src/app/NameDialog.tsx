import { useState } from "preact/hooks";
import { t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { lastName } from "./prefs.ts";
import { asking } from "./session.ts";

/** Asks a newcomer's name, once. */
export function NameDialog() {
  const [name, setName] = useState(lastName.value);
  const answer = asking.value;
  if (!answer) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (name.trim()) answer(name.trim());
  };
  return (
    <Dialog title={t("name.title")} onClose={() => asking.value?.(null)}>
      <form class="stack" onSubmit={submit}>
        <Field label={t("name.label")} hint={t("name.hint")}>
          {(id) => (
            <input id={id} autofocus required maxLength={24} autocomplete="nickname" value={name} onInput={(e) => setName(e.currentTarget.value)} />
          )}
        </Field>
        <button class="button primary">{t("name.go")}</button>
      </form>
    </Dialog>
  );
}
