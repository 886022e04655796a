import { animations, fourColours, inBigBlinds, potOdds } from "../../app/prefs.ts";
import { t } from "../../i18n/index.ts";
import { Switch } from "../../ui/Field.tsx";

/** How this device shows cards and amounts. */
export function Options() {
  return (
    <>
      <Switch label={t("pref.fourColours")} checked={fourColours.value} onChange={(on) => (fourColours.value = on)} />
      <Switch label={t("pref.bigBlinds")} checked={inBigBlinds.value} onChange={(on) => (inBigBlinds.value = on)} />
      <Switch label={t("pref.potOdds")} checked={potOdds.value} onChange={(on) => (potOdds.value = on)} />
      <Switch label={t("pref.animations")} checked={animations.value} onChange={(on) => (animations.value = on)} />
    </>
  );
}
