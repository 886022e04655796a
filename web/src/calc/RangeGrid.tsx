import { useRef, useState } from "preact/hooks";
import { fixed, num, t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { combinations, kindAt, RANKS, readRange, writeRange } from "./ranges.ts";

interface Props {
  text: string;
  onDone(text: string): void;
  onClose(): void;
}

/** A range on the 13×13 grid: tap, drag, or walk with the arrow keys and press space. */
export function RangeGrid({ text, onDone, onClose }: Props) {
  const [kinds, setKinds] = useState(() => readRange(text));
  const painting = useRef<boolean | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const paint = (kind: string, on: boolean) => {
    const next = new Set(kinds);
    if (on) next.add(kind);
    else next.delete(kind);
    setKinds(next);
  };
  const under = (event: PointerEvent): string | undefined =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-kind]")?.dataset.kind;
  const walk = (event: KeyboardEvent, row: number, column: number) => {
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
    if (!down && !right) return;
    event.preventDefault();
    grid.current?.querySelector<HTMLElement>(`[data-kind="${kindAt(row + (down ?? 0), column + (right ?? 0))}"]`)?.focus();
  };
  const count = combinations(kinds);
  return (
    <Dialog title={t("range.title")} onClose={onClose}>
      <div
        ref={grid}
        class="range-grid"
        role="group"
        aria-label={t("range.title")}
        onPointerDown={(event) => {
          const kind = under(event);
          if (!kind) return;
          painting.current = !kinds.has(kind);
          paint(kind, painting.current);
        }}
        onPointerMove={(event) => {
          const kind = painting.current === null ? undefined : under(event);
          if (kind && kinds.has(kind) !== painting.current) paint(kind, painting.current === true);
        }}
        onPointerUp={() => (painting.current = null)}
        onPointerLeave={() => (painting.current = null)}
      >
        {RANKS.map((_, row) =>
          RANKS.map((__, column) => {
            const kind = kindAt(row, column);
            const shape = row === column ? "pair" : row < column ? "suited" : "offsuit";
            return (
              <button
                key={kind}
                type="button"
                data-kind={kind}
                class={`kind ${shape}${kinds.has(kind) ? " on" : ""}`}
                aria-pressed={kinds.has(kind)}
                onKeyDown={(event) => {
                  if (event.key === " " || event.key === "Enter") {
                    event.preventDefault();
                    paint(kind, !kinds.has(kind));
                  }
                  walk(event, row, column);
                }}
              >
                {kind}
              </button>
            );
          }),
        )}
      </div>
      <p class="muted">{t("range.count", { n: num(count), percent: fixed((100 * count) / 1326, 1) })}</p>
      <div class="row">
        <button type="button" class="button" onClick={() => setKinds(new Set())}>
          {t("calc.clear")}
        </button>
        <button type="button" class="button primary grow" onClick={() => onDone(writeRange(kinds))}>
          {t("range.use")}
        </button>
      </div>
    </Dialog>
  );
}
