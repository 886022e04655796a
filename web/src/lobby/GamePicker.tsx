import { useId } from "preact/hooks";
import { gameOf } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { gameTitle } from "./describe.ts";

interface Props {
  games: readonly string[];
  value: string;
  onChange(game: string): void;
}

/** The games side by side, each with its sign. */
export function GamePicker({ games, value, onChange }: Props) {
  const name = useId();
  return (
    <fieldset class="game-picker">
      <legend class="visually-hidden">{t("new.game")}</legend>
      {games.map((game) => (
        <label key={game} class={game === value ? "game-tile on" : "game-tile"}>
          <input type="radio" name={name} checked={game === value} onChange={() => onChange(game)} />
          <span class={`game-mark ${game}`} aria-hidden="true">
            {gameOf(game).mark}
          </span>
          <b>{gameTitle(game, {})}</b>
        </label>
      ))}
    </fieldset>
  );
}
