import type { RoundLine } from "../api/types.ts";
import { gameOf } from "../games/index.ts";
import { num, t, when } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";

/** Where and when a round was played: 'Hand 12 · Friday night · 3 May, 21:04'. */
export function whereAndWhen({ game, number, name, code, ended }: RoundLine): string {
  return [t(`history.${gameOf(game).round}`, { n: num(number) }), name || code, when(ended)].join(" · ");
}

/** A round of which the record knows only who played it. */
export function PlainLine({ line }: { line: RoundLine }) {
  return (
    <>
      <span class="round-sign" aria-hidden="true">
        {gameOf(line.game).mark}
      </span>
      <span class="round-words">
        <b class="ellipsis">{Object.values(line.names).join(", ")}</b>
        <small>{`${gameTitle(line.game, {})} · ${whereAndWhen(line)}`}</small>
      </span>
    </>
  );
}
