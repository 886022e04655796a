import { useState } from "preact/hooks";
import { notify, sounds, textTable } from "../app/prefs.ts";
import { go } from "../app/router.ts";
import { attempt } from "../app/session.ts";
import { roomAtHand } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Switch } from "../ui/Field.tsx";
import { HostPowers } from "./HostPowers.tsx";
import type { TableStore } from "./store.ts";

/** Everything that is not the game: leaving, how the table looks on this device, and the host's powers. */
export function TableMenu({ table, onClose }: { table: TableStore; onClose(): void }) {
  const view = table.view.value;
  const [leaving, setLeaving] = useState(false);
  if (!view) return null;
  const Options = roomAtHand(view.game)?.Options;
  const leave = async () => {
    if (!leaving) return setLeaving(true);
    if ((await attempt(() => table.send({ type: "leave" }))) !== undefined) go("/");
  };
  return (
    <Dialog title={t("menu")} onClose={onClose}>
      <div class="stack">
        {view.you?.host && !view.tournament && <HostPowers table={table} view={view} onFull={onClose} />}
        <section class="stack" aria-label={t("menu.device")}>
          <h3>{t("menu.device")}</h3>
          <Switch label={t("pref.text")} checked={textTable.value} onChange={(on) => (textTable.value = on)} />
          {Options && <Options />}
          <Switch label={t("pref.sounds")} checked={sounds.value} onChange={(on) => (sounds.value = on)} />
          <Switch label={t("pref.notify")} checked={notify.value} onChange={(on) => void allowNotices(on)} />
        </section>
        {view.tournament && (
          <a class="button block" href={`/tournament/${view.tournament}`}>
            {t("tour.back")}
          </a>
        )}
        {Boolean(view.you?.seats.length) && !view.tournament && (
          <button type="button" class="button danger block" onClick={() => void leave()}>
            {leaving ? t("leave.sure") : t("leave")}
          </button>
        )}
      </div>
    </Dialog>
  );
}

async function allowNotices(on: boolean): Promise<void> {
  notify.value = on && "Notification" in window && (await Notification.requestPermission()) === "granted";
}
