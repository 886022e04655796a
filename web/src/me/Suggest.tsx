import { useState } from "preact/hooks";
import { post } from "../api/http.ts";
import { toast } from "../app/live.ts";
import { attempt } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";

/** A word to whoever runs this server. */
export function Suggest() {
  const [title, setTitle] = useState("");
  const [suggestion, setSuggestion] = useState("");
  const send = async (event: Event) => {
    event.preventDefault();
    await attempt(async () => {
      await post("/suggestions", { title: title.trim(), suggestion: suggestion.trim() });
      setTitle("");
      setSuggestion("");
      toast(t("suggest.thanks"));
    });
  };
  return (
    <section class="panel" aria-labelledby="suggest">
      <h2 id="suggest">{t("suggest.title")}</h2>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <Field label={t("suggest.subject")}>
          {(id) => <input id={id} required maxLength={80} value={title} onInput={(event) => setTitle(event.currentTarget.value)} />}
        </Field>
        <Field label={t("suggest.text")} hint={t("suggest.hint")}>
          {(id) => <textarea id={id} required rows={4} maxLength={2000} value={suggestion} onInput={(event) => setSuggestion(event.currentTarget.value)} />}
        </Field>
        <button class="button">{t("suggest.send")}</button>
      </form>
    </section>
  );
}
