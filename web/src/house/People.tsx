import { useState } from "preact/hooks";
import type { ConnectedPerson, Operations, PersonDevices, SignedOut } from "../api/wire.operator.ts";
import { toast } from "../app/live.ts";
import { day, num, t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { Question } from "./Question.tsx";
import { ask } from "./secret.ts";

/** Who is connected; and anybody by name or id, with their devices. */
export function People({ now, again }: { now: Operations; again: () => Promise<void> }) {
  const [who, setWho] = useState("");
  const [wanted, setWanted] = useState("");
  const { database } = now;
  return (
    <section class="panel" aria-labelledby="people">
      <div class="panel-head">
        <h2 id="people">{t("house.people")}</h2>
        <small class="muted">{t("house.people.count", { count: num(now.connected_people) })}</small>
      </div>
      {now.people.length ? (
        <ul class="desk-list">
          {now.people.map((person) => (
            <li key={person.id}>
              <PersonLine person={person} />
              <button type="button" class="button small" aria-label={t("house.devices.of", { name: person.name })} onClick={() => setWho(person.id)}>
                {t("house.devices")}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p class="empty">{t("house.people.none")}</p>
      )}
      {now.connected_people > now.people.length && <p class="muted">{t("house.cut", { shown: num(now.people.length), all: num(now.connected_people) })}</p>}
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          setWho(wanted.trim());
        }}
      >
        <Field label={t("house.find")}>
          {(id) => <input id={id} autocomplete="off" maxLength={64} value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />}
        </Field>
        <button type="submit" class="button" disabled={!wanted.trim()}>
          {t("house.find.go")}
        </button>
      </form>
      {database && (
        <p class="muted">
          {t("house.tokens", { people: num(database.people), tokens: num(database.tokens) })}
          {database.oldest_token !== null && ` ${t("house.tokens.oldest", { day: day(database.oldest_token) })}`}
        </p>
      )}
      {who && (
        <Dialog title={t("house.devices.title")} onClose={() => setWho("")}>
          <Found who={who} onDone={() => setWho("")} again={again} />
        </Dialog>
      )}
    </section>
  );
}

function PersonLine({ person }: { person: ConnectedPerson }) {
  return (
    <div class="desk-item">
      <p class="desk-name">
        <b>{person.name}</b>
        {person.bot && <em class="badge plain">{t("house.bot")}</em>}
      </p>
      <p class="muted desk-facts">
        {t("house.people.at", { count: num(person.connections) })} {person.tables.join(", ")}
      </p>
    </div>
  );
}

/** Everybody of a name or an id, and where they are signed in. */
function Found({ who, onDone, again }: { who: string; onDone(): void; again: () => Promise<void> }) {
  const found = useLoaded(() => ask<PersonDevices[]>("GET", `/people?who=${encodeURIComponent(who)}`), [who]);
  const [leaving, setLeaving] = useState<PersonDevices | null>(null);
  if (leaving) {
    const signOut = async () => {
      const { devices } = await ask<SignedOut>("DELETE", `/people/${leaving.id}/tokens`);
      toast(t("house.signedOut", { name: leaving.name, count: num(devices) }));
      await again();
    };
    return <Question text={t("house.signOut.ask", { name: leaving.name })} action={t("house.signOut")} onYes={signOut} onDone={onDone} />;
  }
  if (!found?.length) {
    return (
      <p class="empty" role="status">
        {found === undefined ? t("loading") : found === null ? t("error.offline") : t("house.find.none")}
      </p>
    );
  }
  return (
    <ul class="found">
      {found.map((person) => (
        <li key={person.id}>
          <h3>
            {person.name} {person.bot && <em class="badge plain">{t("house.bot")}</em>}
          </h3>
          <p class="muted">
            <code>{person.id}</code> · {t("house.since", { day: day(person.created) })}
          </p>
          <ul class="found-devices">
            {person.devices.map((device) => (
              <li key={device.id}>
                {device.device || t("house.device.unknown")}
                <span class="muted"> · {t("house.device.used", { day: day(device.used) })}</span>
              </li>
            ))}
          </ul>
          {person.devices.length ? (
            <button type="button" class="button danger lone" onClick={() => setLeaving(person)}>
              {t("house.signOut")}
            </button>
          ) : (
            <p class="muted">{t("house.devices.none")}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
