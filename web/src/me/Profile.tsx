import { useState } from "preact/hooks";
import type { Identity } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { attempt, changeMe } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";

/** The initial, or a sign that every system can draw. */
const AVATARS = ["", "♠", "♥", "♦", "♣", "♛", "♜", "♝", "♞", "♟", "★", "☀"];

export function Profile({ person }: { person: Identity }) {
  const [name, setName] = useState(person.name);
  const [avatar, setAvatar] = useState(person.avatar ?? "");
  const save = async (event: Event) => {
    event.preventDefault();
    await attempt(async () => {
      await changeMe({ name: name.trim(), avatar });
      toast(t("me.saved"));
    });
  };
  return (
    <section class="panel" aria-labelledby="profile">
      <h2 id="profile">{t("me.profile")}</h2>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field label={t("name.label")}>
          {(id) => <input id={id} required maxLength={24} autocomplete="nickname" value={name} onInput={(event) => setName(event.currentTarget.value)} />}
        </Field>
        <fieldset class="choice">
          <legend>{t("me.avatar")}</legend>
          <div class="avatars">
            {AVATARS.map((one) => (
              <label key={one} class={one === avatar ? "avatar-choice on" : "avatar-choice"}>
                <input type="radio" name="avatar" aria-label={one || t("me.initial")} checked={one === avatar} onChange={() => setAvatar(one)} />
                <span aria-hidden="true">{one || (Array.from(name.trim())[0] ?? "?").toUpperCase()}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <button class="button primary">{t("me.save")}</button>
      </form>
    </section>
  );
}
