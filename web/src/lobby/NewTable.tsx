import { useState } from "preact/hooks";
import { t } from "../i18n/index.ts";
import { Choice } from "../ui/Field.tsx";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { openTable, playTheHouse } from "./create.ts";
import { HOUSE, PRESETS } from "./presets.ts";

const MoreSettings = lazy<{ game: string }>(async () => (await import("./MoreSettings.tsx")).MoreSettings);

type Name = "holdem" | "chess";

/** A new table in two taps, an evening against the house in one; everything else under 'more'. */
export function NewTable() {
  const [game, setGame] = useState<Name>("holdem");
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState(false);
  const styles = HOUSE[game]?.styles ?? [];
  const [style, setStyle] = useState(styles[0]?.[0] ?? "");
  const choose = (name: Name) => {
    setGame(name);
    setStyle(HOUSE[name]?.styles[0]?.[0] ?? "");
  };
  const once = (work: () => Promise<void>) => () => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  const games: [Name, string][] = [
    ["holdem", t("game.holdem")],
    ["chess", t("game.chess")],
  ];
  return (
    <section class="panel" aria-labelledby="new-table">
      <h2 id="new-table">{t("new.title")}</h2>
      <Choice label={t("new.game")} value={game} options={games} onChange={choose} />
      <ul class="presets">
        {(PRESETS[game] ?? []).map((preset) => (
          <li key={preset.id}>
            <button type="button" class="preset" disabled={busy} onClick={once(() => openTable(game, preset.settings))}>
              <b>{t(preset.title)}</b>
              <small>{t(preset.hint)}</small>
            </button>
          </li>
        ))}
      </ul>
      <div class="row wrap">
        <button type="button" class="button primary house" disabled={busy} onClick={once(() => playTheHouse(game, style))}>
          <Icon name="bot" />
          {t("new.house")}
        </button>
        <select class="style" aria-label={t("new.style")} value={style} onChange={(event) => setStyle(event.currentTarget.value)}>
          {styles.map(([name, key]) => (
            <option key={name} value={name}>
              {t(key)}
            </option>
          ))}
        </select>
      </div>
      <button type="button" class="button quiet block" aria-expanded={more} onClick={() => setMore(!more)}>
        {t("new.more")}
      </button>
      {more && <MoreSettings key={game} game={game} />}
    </section>
  );
}
