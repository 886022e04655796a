import { useEffect } from "preact/hooks";
import { attempt, me } from "../app/session.ts";
import { gameOf } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { openTable } from "./create.ts";
import { gameTitle } from "./describe.ts";
import { deletePreset, loadPresets, presetsOf } from "./presets.ts";

interface Props {
  game: string;
  busy: boolean;
  once(work: () => Promise<void>): void;
}

/** The tables that this person has saved, to open one with a tap. */
export function OwnPresets({ game, busy, once }: Props) {
  const owner = me.value?.id;
  useEffect(() => {
    if (owner) loadPresets(owner).catch(() => undefined);
  }, [owner]);
  const presets = presetsOf(owner).filter((preset) => preset.game === game);
  if (!owner || !presets.length) return null;
  return (
    <>
      <h3>{t("preset.own")}</h3>
      <ul class="presets">
        {presets.map(({ id, name, settings }) => (
          <li key={id} class="own-preset">
            <button type="button" class="preset" disabled={busy} onClick={() => once(() => openTable(game, settings))}>
              <b class="ellipsis">{name}</b>
              <small>{[gameTitle(game, settings), gameOf(game).stakes(settings)].filter(Boolean).join(" · ")}</small>
            </button>
            <button type="button" class="icon-button" aria-label={t("preset.delete", { name })} title={t("preset.delete", { name })} onClick={() => void attempt(() => deletePreset(owner, id))}>
              <Icon name="bin" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
