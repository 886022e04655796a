import { useState } from "preact/hooks";
import type { Settings } from "../api/types.ts";
import { attempt } from "../app/session.ts";
import { hasPage } from "../games/index.ts";
import { loadOffered } from "../games/offered.ts";
import { t } from "../i18n/index.ts";
import { useLoaded } from "../ui/useLoaded.ts";
import { openTable } from "./create.ts";
import { allSettings } from "./roomSettings.ts";
import { SavePreset } from "./SavePreset.tsx";
import { SettingsForm } from "./SettingsForm.tsx";

/** Every setting of a game, as the server describes them. */
export function MoreSettings({ game }: { game: string }) {
  const [chosen, setChosen] = useState<Settings>({});
  const games = useLoaded(loadOffered, []);
  if (!games) return <p role="status">{games === null ? t("error.offline") : t("loading")}</p>;
  const info = games.find((one) => one.name === game);
  if (!info) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    void attempt(() => openTable(game, chosen));
  };
  return (
    <div class="stack more-settings">
      <form class="stack" onSubmit={submit}>
        <SettingsForm schema={allSettings(info)} values={chosen} onChange={setChosen} described={!hasPage(game)} />
        <button class="button primary">{t("new.create")}</button>
      </form>
      <SavePreset game={game} settings={chosen} />
    </div>
  );
}
