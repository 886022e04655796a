import { useEffect, useState } from "preact/hooks";
import type { Settings, View } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { gameOf, hasPage } from "../games/index.ts";
import { houseStyles } from "../games/houseStyles.ts";
import { loadOffered } from "../games/offered.ts";
import { t } from "../i18n/index.ts";
import { changeableSettings } from "../lobby/roomSettings.ts";
import { SavePreset } from "../lobby/SavePreset.tsx";
import { SettingsForm } from "../lobby/SettingsForm.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { Guests } from "./Guests.tsx";
import { Requests } from "./Requests.tsx";
import type { TableStore } from "./store.ts";

interface Props {
  table: TableStore;
  view: View;
}

/** What the host may do: let people in, pause, seat the house, change the rules, hand over, close. */
export function HostPowers({ table, view, onFull }: Props & { onFull(): void }) {
  const [open, setOpen] = useState<"" | "bots" | "people" | "settings" | "close">("");
  const toggle = (part: typeof open) => () => setOpen(open === part ? "" : part);
  const full = view.seats.every((seat) => seat.player);
  // Whoever has filled the table wants to play: the button for that lies under the menu.
  useEffect(() => {
    if (full && open === "bots") onFull();
  }, [full]);
  return (
    <section class="stack" aria-label={t("host.title")}>
      <h3>{t("host.title")}</h3>
      <Requests table={table} view={view} />
      <div class="button-grid">
        <button type="button" class="button" onClick={() => void table.host(view.paused ? "resume" : "pause")}>
          {view.paused ? t("host.resume") : t("host.pause")}
        </button>
        {gameOf(view.game).house && (
          <button type="button" class="button" disabled={full} aria-expanded={open === "bots"} onClick={toggle("bots")}>
            {t("host.addBot")}
          </button>
        )}
        <button type="button" class="button" aria-expanded={open === "people"} onClick={toggle("people")}>
          {t("host.people")}
        </button>
        <button type="button" class="button" aria-expanded={open === "settings"} onClick={toggle("settings")}>
          {t("host.settings")}
        </button>
        <button type="button" class="button" aria-expanded={open === "close"} onClick={toggle("close")}>
          {t("host.close")}
        </button>
      </div>
      {open === "bots" && <Bots table={table} view={view} />}
      {open === "people" && <Guests table={table} view={view} />}
      {open === "settings" && <ChangeSettings table={table} view={view} />}
      {open === "close" && (
        <button type="button" class="button danger block" onClick={() => void table.host("close")}>
          {t("host.close.sure")}
        </button>
      )}
    </section>
  );
}

/** The ways in which the house can play here, an engine of the operator's included. */
function Bots({ table, view }: Props) {
  const games = useLoaded(loadOffered, []);
  const { styles } = houseStyles(games, view.game, view.settings);
  return (
    <div class="button-grid">
      {styles.map(([style, name]) => (
        <button key={style} type="button" class="button" onClick={() => void table.host("add_bot", { style })}>
          {name}
        </button>
      ))}
    </div>
  );
}

function ChangeSettings({ table, view }: Props) {
  const [changed, setChanged] = useState<Settings>({});
  const games = useLoaded(loadOffered, []);
  const info = games?.find((game) => game.name === view.game);
  if (!info) return <p role="status">{t("loading")}</p>;
  const planned = { ...view.settings, ...view.queued };
  const submit = (event: Event) => {
    event.preventDefault();
    void table.host("settings", changed).then((done) => {
      if (!done) return;
      setChanged({});
      toast(t("host.saved"));
    });
  };
  return (
    <>
      <form class="stack" onSubmit={submit}>
        {view.status === "playing" && <p class="muted">{t(`queued.hint.${gameOf(view.game).round}`)}</p>}
        <SettingsForm schema={changeableSettings(info)} values={{ ...planned, ...changed }} onChange={(all) => setChanged(difference(all, planned))} described={!hasPage(view.game)} />
        <button class="button primary" disabled={!Object.keys(changed).length}>
          {t("host.save")}
        </button>
      </form>
      <SavePreset game={view.game} settings={{ ...planned, ...changed }} />
    </>
  );
}

function difference(all: Settings, old: Settings): Settings {
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name])));
}
