import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import { editable, exact, readAmount, showsBlinds } from "./money.ts";
import type { PokerLegal, PokerView } from "./types.ts";
import { sizeName, sizesOf } from "./words.ts";

interface Props {
  input: RefObject<HTMLInputElement | null>;
  legal: PokerLegal;
  view: PokerView;
  /** What was typed or chosen; it may lie outside the limits until it is used. */
  amount: number;
  onSize(total: number): void;
  /** One step more or less. */
  onStep(by: 1 | -1): void;
  onEnter(): void;
}

/** A step of the amount: a small blind. */
export const stepOf = (view: PokerView): number => Math.max(1, Math.round(view.state.blinds[0] || 1));

/** How much: the sizes that the server offers, a slider, the wheel, or a number. All amounts are totals on this street. */
export function Sizing({ input, legal, view, amount, onSize, onStep, onEnter }: Props) {
  const big = view.state.blinds[1];
  // While somebody types, the field shows what was typed ('2.'), not the amount that it stands for.
  const [typed, setTyped] = useState<string | null>(null);
  const fit = (total: number) => Math.min(Math.max(total, legal.min), legal.max);
  const value = fit(amount);
  const turn = (event: WheelEvent) => {
    event.preventDefault();
    if (event.deltaY) onStep(event.deltaY < 0 ? 1 : -1);
  };
  return (
    <div class="sizing" onWheel={turn}>
      <div class="sizes">
        {sizesOf(legal).map((size) => {
          const on = value === size.to;
          return (
            <button key={size.to} type="button" class={on ? "size on" : "size"} aria-pressed={on} onClick={() => onSize(size.to)}>
              {sizeName(size)}
            </button>
          );
        })}
      </div>
      <div class="slide">
        <button type="button" class="size" aria-label={t("size.less")} onClick={() => onStep(-1)}>
          −
        </button>
        <input
          type="range"
          aria-label={t("size.slider")}
          aria-valuetext={exact(value, big)}
          min={legal.min}
          max={legal.max}
          step={1}
          value={value}
          onInput={(event) => onSize(snap(Number(event.currentTarget.value), big, legal))}
        />
        <button type="button" class="size" aria-label={t("size.more")} onClick={() => onStep(1)}>
          +
        </button>
        <input
          ref={input}
          class="amount"
          type="text"
          inputMode={showsBlinds(big) ? "decimal" : "numeric"}
          autocomplete="off"
          aria-label={t("size.amount")}
          value={typed ?? editable(amount, big)}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            onSize(readAmount(event.currentTarget.value, big));
          }}
          onBlur={() => {
            setTyped(null);
            onSize(value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            event.stopPropagation();
            onEnter();
          }}
        />
      </div>
    </div>
  );
}

/** The slider rests on round amounts, and on both ends. */
function snap(total: number, big: number, legal: PokerLegal): number {
  if (total <= legal.min || total >= legal.max) return total;
  const grain = legal.max > 100 * big ? big : Math.max(1, Math.round(big / 2));
  return Math.min(Math.max(Math.round(total / grain) * grain, legal.min), legal.max);
}
