import { t } from "../../../i18n/index.ts";
import type { Point } from "./place.ts";
import { at as place } from "./point.ts";

interface Props {
  seat: number;
  at: Point;
  /** Whether whoever looks has a seat: then an empty one is for somebody else. */
  seated: boolean;
  onFree(seat: number): void;
}

/** An empty seat: a small plus that takes exactly this one. */
export function Free({ seat, at, seated, onFree }: Props) {
  const label = t(seated ? "free.invite" : "free.take", { n: seat + 1 });
  return (
    <button type="button" class="at free" data-spot={`free-${seat}`} style={place(at)} aria-label={label} title={label} onClick={() => onFree(seat)}>
      <span aria-hidden="true">+</span>
    </button>
  );
}
