import { useState } from "preact/hooks";
import { call } from "../api/http.ts";
import type { Identity } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { lastName } from "../app/prefs.ts";
import { go } from "../app/router.ts";
import { attempt, loadMe, me } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";

/** Everything that the server keeps about this person: to take along, and to have deleted. */
export function OwnData({ person }: { person: Identity }) {
  const [asking, setAsking] = useState(false);
  return (
    <section class="panel" aria-labelledby="own-data">
      <h2 id="own-data">{t("data.title")}</h2>
      <p class="muted">{t("data.hint")}</p>
      <div class="row wrap">
        <a class="button" href="/api/v1/me/export" download="parlour.zip">
          {t("data.export")}
        </a>
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {t("data.delete")}
        </button>
      </div>
      {asking && <Farewell person={person} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** The name has to be typed: nobody is deleted by a slip. */
function Farewell({ person, onClose }: { person: Identity; onClose(): void }) {
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const remove = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await attempt(async () => {
      await call("DELETE", "/me", { name: name.trim() });
      lastName.value = "";
      me.value = null;
      await loadMe();
      go("/", true);
      toast(t("data.deleted"));
    });
    setBusy(false);
  };
  return (
    <Dialog title={t("data.delete")} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void remove(event)}>
        <p>{t("data.question")}</p>
        <Field label={t("data.confirm", { name: person.name })}>
          {(id) => <input id={id} required autocomplete="off" value={name} onInput={(event) => setName(event.currentTarget.value)} />}
        </Field>
        <div class="row wrap">
          <button type="button" class="button" onClick={onClose}>
            {t("house.cancel")}
          </button>
          <button class="button danger" disabled={busy || name.trim() !== person.name}>
            {t("data.forGood")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
