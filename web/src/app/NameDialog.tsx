import { useState } from "preact/hooks";
import { t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { asking, nameAtHand } from "./session.ts";

/** Asks a newcomer's name, once. One is offered, so that nobody has to type. */
export function NameDialog() {
  const answer = asking.value;
  return answer && <AskName answer={answer} />;
}

function AskName({ answer }: { answer(name: string | null): void }) {
  const [name, setName] = useState(nameAtHand);
  const submit = (event: Event) => {
    event.preventDefault();
    if (name.trim()) answer(name.trim());
  };
  return (
    <Dialog title={t("name.title")} onClose={() => answer(null)}>
      <form class="stack" onSubmit={submit}>
        <Field label={t("name.label")} hint={t("name.hint")}>
          {(id) => (
            <input id={id} autofocus required maxLength={24} autocomplete="nickname" value={name} onFocus={(e) => e.currentTarget.select()} onInput={(e) => setName(e.currentTarget.value)} />
          )}
        </Field>
        <button class="button primary">{t("name.go")}</button>
      </form>
    </Dialog>
  );
}
