import { useState } from "preact/hooks";
import { GAMES, gameOf } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { Choice } from "../ui/Field.tsx";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { openTable, playTheHouse } from "./create.ts";
import { gameTitle } from "./describe.ts";

const MoreSettings = lazy<{ game: string }>(async () => (await import("./MoreSettings.tsx")).MoreSettings);

/** A new table in two taps, an evening against the house in one; everything else under 'more'. */
export function NewTable() {
  const [game, setGame] = useState(GAMES[0]?.name ?? "");
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState(false);
  const { presets, house } = gameOf(game);
  const [style, setStyle] = useState(house?.styles[0]?.[0] ?? "");
  const choose = (name: string) => {
    setGame(name);
    setStyle(gameOf(name).house?.styles[0]?.[0] ?? "");
  };
  const once = (work: () => Promise<void>) => () => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  const games = GAMES.map(({ name }): [string, string] => [name, gameTitle(name, {})]);
  return (
    <section class="panel" aria-labelledby="new-table">
      <h2 id="new-table">{t("new.title")}</h2>
      <Choice label={t("new.game")} value={game} options={games} onChange={choose} />
      <ul class="presets">
        {presets.map((preset) => (
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
          {house?.styles.map(([name, key]) => (
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
