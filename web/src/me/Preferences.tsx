import { CardBack } from "../art/Card.tsx";
import { cardBack, felt, fourColours, inBigBlinds, language, sounds, textTable, theme, volume, type CardBackChoice, type Felt, type Theme } from "../app/prefs.ts";
import { GAMES } from "../games/index.ts";
import { current, LANGUAGES, loadLanguage, t, type Language } from "../i18n/index.ts";
import { Choice, Field, Switch } from "../ui/Field.tsx";
import { PictureChoice } from "../ui/PictureChoice.tsx";
import { play } from "../ui/sound.ts";
import "../styles/felts.css";

const FELTS: readonly Felt[] = ["green", "blue", "burgundy"];
const BACKS: readonly CardBackChoice[] = ["lattice", "fans"];

/** How Parlour looks and sounds on this device. */
export function Preferences() {
  const themes: [Theme, string][] = [
    ["auto", t("theme.auto")],
    ["light", t("theme.light")],
    ["dark", t("theme.dark")],
  ];
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  const wish = language.value in LANGUAGES ? (language.value as Language) : current.value; // its words may still be on their way
  const speak = (chosen: Language) => {
    language.value = chosen;
    void loadLanguage();
  };
  return (
    <section class="panel stack" aria-labelledby="preferences">
      <h2 id="preferences">{t("menu.device")}</h2>
      <Choice label={t("pref.language")} value={wish} options={languages} onChange={speak} />
      <Choice label={t("pref.theme")} value={theme.value} options={themes} onChange={(chosen) => (theme.value = chosen)} />
      <PictureChoice
        kind="samples"
        label={t("pref.felt")}
        value={felt.value}
        options={FELTS.map((value) => ({ value, name: t(`felt.${value}`), picture: <span class={`felt-sample felt-${value}`} /> }))}
        onChange={(chosen) => (felt.value = chosen)}
      />
      <PictureChoice
        kind="samples"
        label={t("pref.back")}
        value={cardBack.value}
        options={BACKS.map((value) => ({ value, name: t(`back.${value}`), picture: <CardBack back={value} /> }))}
        onChange={(chosen) => (cardBack.value = chosen)}
      />
      {GAMES.map(({ name, Look }) => Look && <Look key={name} />)}
      <Switch label={t("pref.fourColours")} checked={fourColours.value} onChange={(on) => (fourColours.value = on)} />
      <Switch label={t("pref.bigBlinds")} checked={inBigBlinds.value} onChange={(on) => (inBigBlinds.value = on)} />
      <Switch label={t("pref.sounds")} checked={sounds.value} onChange={(on) => (sounds.value = on)} />
      <Volume />
      <Switch label={t("pref.text")} checked={textTable.value} onChange={(on) => (textTable.value = on)} />
    </section>
  );
}

function Volume() {
  const percent = Math.round(volume.value * 100);
  return (
    <Field label={t("pref.volume")}>
      {(id) => (
        <div class="volume">
          <input
            id={id}
            type="range"
            min="0"
            max="100"
            step="5"
            value={percent}
            aria-valuetext={`${percent} %`}
            disabled={!sounds.value}
            onInput={(event) => (volume.value = event.currentTarget.valueAsNumber / 100)}
          />
          <button type="button" class="button small" disabled={!sounds.value || percent === 0} onClick={() => void play("win")}>
            {t("pref.try")}
          </button>
        </div>
      )}
    </Field>
  );
}
