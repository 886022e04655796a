import { useMemo, useState } from "preact/hooks";
import type { Identity } from "../api/types.ts";
import { Face } from "../art/Face.tsx";
import { drawFace, faceName, FACES, pictureOf } from "../art/faces.ts";
import { toast } from "../app/live.ts";
import { attempt, changeMe } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";
import { PictureChoice } from "../ui/PictureChoice.tsx";

const CHOSEN_FACE = /^face:\d+$/;

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
        <div class="me-head">
          <span class="avatar me-face" aria-hidden="true">
            <Face picture={pictureOf({ ...person, avatar })} />
          </span>
          <Field label={t("name.label")}>
            {(id) => <input id={id} required maxLength={24} autocomplete="nickname" value={name} onInput={(event) => setName(event.currentTarget.value)} />}
          </Field>
        </div>
        <FacePicker person={person} avatar={avatar} onChange={setAvatar} />
        <button class="button primary">{t("me.save")}</button>
      </form>
    </section>
  );
}

/** The face that comes by itself, the sign that somebody had before there were faces, and all the faces. */
function FacePicker({ person, avatar, onChange }: { person: Identity; avatar: string; onChange(avatar: string): void }) {
  const options = useMemo(() => {
    const own = { value: "", name: t("me.automatic"), picture: pictureOf({ ...person, avatar: null }) };
    const sign = person.avatar && !CHOSEN_FACE.test(person.avatar) ? [{ value: person.avatar, name: t("me.sign", { sign: person.avatar }), picture: pictureOf(person) }] : [];
    const faces = Array.from({ length: FACES }, (_, n) => ({ value: faceName(n), name: t("me.face", { n: n + 1 }), picture: drawFace(n) }));
    return [own, ...sign, ...faces].map((one) => ({ ...one, picture: <Face picture={one.picture} /> }));
  }, [person]);
  return <PictureChoice kind="faces" label={t("me.avatar")} value={avatar} options={options} onChange={onChange} />;
}
