import { useEffect, useState } from "preact/hooks";
import { GAMES, gameOf, hasPage, usualGame } from "../games/index.ts";
import { loadOffered, offered } from "../games/offered.ts";
import { loadWords, t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { openTable, playTheHouse, sitAndGo } from "./create.ts";
import { GamePicker } from "./GamePicker.tsx";
import { OwnPresets } from "./OwnPresets.tsx";

const MoreSettings = lazy<{ game: string }>(async () => {
  const [more] = await Promise.all([import("./MoreSettings.tsx"), loadWords("settings")]);
  return more.MoreSettings;
});

/** The games of the server, those with a page of their own first; until it has said which, those. */
function gamesHere(): string[] {
  const here = offered.value?.map(({ name }) => name);
  const own = GAMES.map(({ name }) => name).filter((name) => !here || here.includes(name));
  return [...own, ...(here ?? []).filter((name) => !hasPage(name))];
}

/** A new table with one tap, a game against the house with another; everything else under 'more'. */
export function NewTable() {
  const [game, setGame] = useState(usualGame);
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => void loadOffered().catch(() => undefined), []);
  const { presets, house, HouseChoice } = gameOf(game);
  const once = (work: () => Promise<void>) => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  return (
    <section class="panel" aria-labelledby="new-table">
      <h2 id="new-table">{t("new.title")}</h2>
      <GamePicker games={gamesHere()} value={game} onChange={setGame} />
      {presets.length > 0 && (
        <>
          <h3>{t("new.friends")}</h3>
          <ul class="presets">
            {presets.map((preset) => (
              <li key={preset.id}>
                <button type="button" class="preset" disabled={busy} onClick={() => once(() => openTable(game, preset.settings))}>
                  <b>{t(preset.title)}</b>
                  <small>{t(preset.hint)}</small>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <OwnPresets game={game} busy={busy} once={once} />
      {house && (
        <>
          <h3>{t("new.alone")}</h3>
          {HouseChoice ? (
            <HouseChoice key={game} busy={busy} onPlay={(settings, style) => once(() => playTheHouse(game, style, settings))} />
          ) : (
            <House key={game} game={game} busy={busy} onPlay={(style) => once(() => playTheHouse(game, style))} onTournament={(style) => once(() => sitAndGo(game, style))} />
          )}
        </>
      )}
      {presets.length > 0 && (
        <button type="button" class="button quiet block" aria-expanded={more} onClick={() => setMore(!more)}>
          {t("new.more")}
        </button>
      )}
      {(more || !presets.length) && <MoreSettings key={game} game={game} />}
    </section>
  );
}

interface HouseProps {
  game: string;
  busy: boolean;
  onPlay(style: string): void;
  onTournament(style: string): void;
}

function House({ game, busy, onPlay, onTournament }: HouseProps) {
  const { styles = [], sitAndGo: tournament } = gameOf(game).house ?? {};
  const [style, setStyle] = useState(styles[0]?.[0] ?? "");
  return (
    <div class="row wrap">
      <button type="button" class="button primary house" disabled={busy} onClick={() => onPlay(style)}>
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
      {tournament && (
        <button type="button" class="button house" disabled={busy} onClick={() => onTournament(style)}>
          <Icon name="bot" />
          {t("tour.house")}
        </button>
      )}
    </div>
  );
}
