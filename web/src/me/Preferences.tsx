import { boardTheme, fourColours, inBigBlinds, language, sounds, textTable, theme, type BoardTheme, type Theme } from "../app/prefs.ts";
import { current, LANGUAGES, loadLanguage, t, type Language } from "../i18n/index.ts";
import { Choice, Switch } from "../ui/Field.tsx";

/** How Parlour looks and sounds on this device. */
export function Preferences() {
  const themes: [Theme, string][] = [
    ["auto", t("theme.auto")],
    ["light", t("theme.light")],
    ["dark", t("theme.dark")],
  ];
  const boards: [BoardTheme, string][] = [
    ["walnut", t("board.walnut")],
    ["sea", t("board.sea")],
    ["slate", t("board.slate")],
  ];
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  const speak = (chosen: Language) => {
    language.value = chosen;
    void loadLanguage();
  };
  return (
    <section class="panel stack" aria-labelledby="preferences">
      <h2 id="preferences">{t("menu.device")}</h2>
      <Choice label={t("pref.language")} value={current.value} options={languages} onChange={speak} />
      <Choice label={t("pref.theme")} value={theme.value} options={themes} onChange={(chosen) => (theme.value = chosen)} />
      <Choice label={t("pref.board")} value={boardTheme.value} options={boards} onChange={(chosen) => (boardTheme.value = chosen)} />
      <Switch label={t("pref.fourColours")} checked={fourColours.value} onChange={(on) => (fourColours.value = on)} />
      <Switch label={t("pref.bigBlinds")} checked={inBigBlinds.value} onChange={(on) => (inBigBlinds.value = on)} />
      <Switch label={t("pref.sounds")} checked={sounds.value} onChange={(on) => (sounds.value = on)} />
      <Switch label={t("pref.text")} checked={textTable.value} onChange={(on) => (textTable.value = on)} />
    </section>
  );
}
