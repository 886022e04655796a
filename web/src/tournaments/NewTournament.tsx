import { useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { Settings } from "../api/types.ts";
import { go } from "../app/router.ts";
import { attempt, me, someone } from "../app/session.ts";
import { usualGame } from "../games/index.ts";
import { loadWords, t } from "../i18n/index.ts";
import { GamePicker } from "../lobby/GamePicker.tsx";
import { Field } from "../ui/Field.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { PRESETS, type TournamentPreset } from "./presets.ts";

const GAMES = Object.keys(PRESETS);

interface MoreProps {
  game: string;
  preset: TournamentPreset;
  chosen: Settings;
  onChange(chosen: Settings): void;
}

const MoreSettings = lazy<MoreProps>(async () => {
  const [form] = await Promise.all([import("./SettingsOf.tsx"), loadWords("settings")]);
  return form.SettingsOf;
});

/** What the preset says, and on top of it what the host chose, also of the tables. */
function withTables(given: Settings, chosen: Settings): Settings {
  const table = { ...(given.table as Settings), ...(chosen.table as Settings) };
  return { ...given, ...chosen, ...(Object.keys(table).length > 0 && { table }) };
}

/** A new tournament: what is played, one of a few forms of it in plain words, a name; everything else under 'more'. */
export function NewTournament() {
  const [game, setGame] = useState(() => (usualGame() in PRESETS ? usualGame() : (GAMES[0] ?? "")));
  const [id, setId] = useState("");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Settings>({});
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState(false);
  const presets = PRESETS[game] ?? [];
  const preset = presets.find((one) => one.id === id) ?? presets[0];
  if (!preset) return null;
  const choose = (next: string) => {
    setId(next);
    setChosen({});
  };
  const announce = async () => {
    if (!(await someone())) return;
    const settings = withTables(preset.settings, chosen);
    const called = name.trim() || t("tour.name.of", { name: me.value?.name ?? "", format: t(preset.title) }).slice(0, 60);
    const { code } = await post<{ code: string }>("/tournaments", { game, format: preset.format, name: called, settings });
    go(`/tournament/${code}`);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    void attempt(announce).finally(() => setBusy(false));
  };
  return (
    <section class="panel" aria-labelledby="new-tournament">
      <h2 id="new-tournament">{t("tour.new")}</h2>
      <GamePicker
        games={GAMES}
        value={game}
        onChange={(next) => {
          setGame(next);
          choose("");
        }}
      />
      <form class="stack" onSubmit={submit}>
        <fieldset class="presets tour-presets">
          <legend class="visually-hidden">{t("tour.kind")}</legend>
          {presets.map((one) => (
            <label key={one.id} class={one === preset ? "preset on" : "preset"}>
              <input type="radio" name="tour-preset" checked={one === preset} onChange={() => choose(one.id)} />
              <b>{t(one.title)}</b>
              <small>{t(one.hint)}</small>
            </label>
          ))}
        </fieldset>
        <p class="muted">{t(`tour.about.${preset.format}`)}</p>
        <Field label={t("tour.name")}>
          {(field) => <input id={field} maxLength={60} autocomplete="off" value={name} placeholder={t("tour.name.example")} onInput={(event) => setName(event.currentTarget.value)} />}
        </Field>
        <button type="button" class="button quiet block" aria-expanded={more} onClick={() => setMore(!more)}>
          {t("new.more")}
        </button>
        {more && <MoreSettings key={preset.id} game={game} preset={preset} chosen={chosen} onChange={setChosen} />}
        <button class="button primary" disabled={busy}>
          {t("tour.announce")}
        </button>
      </form>
    </section>
  );
}
