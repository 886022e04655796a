import { useState } from "preact/hooks";
import type { Settings } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { attempt, someone } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { savePreset } from "./presets.ts";

/** Keeps the settings that are shown, under a name, for the next table. */
export function SavePreset({ game, settings }: { game: string; settings: Settings }) {
  const [name, setName] = useState("");
  const save = async (event: Event) => {
    event.preventDefault();
    const called = name.trim();
    const done = await attempt(async () => {
      const person = await someone();
      if (person) await savePreset(person.id, called, game, settings);
      return person !== null;
    });
    if (!done) return;
    setName("");
    toast(t("preset.saved", { name: called }));
  };
  return (
    <form class="row save-preset" onSubmit={(event) => void save(event)}>
      <input class="grow" required maxLength={40} autocomplete="off" aria-label={t("preset.name")} placeholder={t("preset.name")} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      <button class="button" disabled={!name.trim()}>
        {t("preset.save")}
      </button>
    </form>
  );
}
