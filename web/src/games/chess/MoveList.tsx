import { useEffect, useRef } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { sideAt } from "./position.ts";
import { spokenMove } from "./words.ts";

interface Props {
  san: readonly string[];
  /** Where the game began, in FEN: Black may have moved first, and moves are counted on from there. */
  start: string | null;
  /** How many moves have been played in the position shown. */
  ply: number;
  onPly(ply: number): void;
}

/** The moves, each a way to its position; arrow keys walk through them. */
export function MoveList({ san, start, ply, onPly }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (shown && list.current) list.current.scrollTo({ top: shown.offsetTop - 60, left: shown.offsetLeft - 120 });
  }, [ply, san.length]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.target as Element).closest("input, select, dialog, [role=tablist]")) return;
      const next = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: san.length }[event.key];
      if (next === undefined || next < 0 || next > san.length) return;
      event.preventDefault();
      onPly(next);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
  const blackFirst = sideAt(start, 0) === "black" ? 1 : 0;
  const first = Number(start?.split(" ").at(-1)) || 1;
  const pairs = Array.from({ length: Math.ceil((san.length + blackFirst) / 2) }, (_, index) => index);
  const step = (icon: IconName, label: string, to: number) => (
    <button type="button" class="icon-button" aria-label={label} disabled={to < 0 || to > san.length || to === ply} onClick={() => onPly(to)}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="moves">
      <ol ref={list} class="move-list" aria-label={t("chess.moves")}>
        {pairs.map((pair) => (
          <li key={pair}>
            <span class="number">{first + pair}.</span>
            {[0, 1].map((side) => {
              const index = 2 * pair + side - blackFirst;
              const move = san[index];
              if (index < 0) return <span key={index} class="move">…</span>;
              return move ? (
                <button key={index} type="button" class="move" aria-label={spokenMove(move)} aria-current={ply === index + 1 ? "step" : undefined} onClick={() => onPly(index + 1)}>
                  {move}
                </button>
              ) : null;
            })}
          </li>
        ))}
        {!san.length && <li class="empty">{t("chess.noMoves")}</li>}
      </ol>
      <div class="steps">
        {step("first", t("step.first"), 0)}
        {step("prev", t("step.prev"), ply - 1)}
        {step("next", t("step.next"), ply + 1)}
        {step("last", t("step.last"), san.length)}
      </div>
    </div>
  );
}
