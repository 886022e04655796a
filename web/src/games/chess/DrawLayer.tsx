import type { Api } from "chessground/api";
import type { DrawShape } from "chessground/draw";
import type { Key } from "chessground/types";
import { useRef } from "preact/hooks";

const BRUSH = "green";

/** Lies over the board while a finger draws: a tap circles a square, a stroke makes an arrow, the same again removes it. */
export function DrawLayer({ api }: { api: { current: Api | null } }) {
  const from = useRef<Key | undefined>(undefined);
  const shape = (event: PointerEvent): DrawShape | undefined => {
    const to = api.current?.getKeyAtDomPos([event.clientX, event.clientY]);
    if (!from.current || !to) return undefined;
    return { orig: from.current, brush: BRUSH, ...(to !== from.current && { dest: to }) };
  };
  const start = (event: PointerEvent) => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    from.current = api.current?.getKeyAtDomPos([event.clientX, event.clientY]);
  };
  const stretch = (event: PointerEvent) => {
    const drawn = shape(event);
    if (drawn) api.current?.setAutoShapes([drawn]);
  };
  const finish = (event: PointerEvent) => {
    const ground = api.current;
    const drawn = shape(event);
    from.current = undefined;
    if (!ground) return;
    ground.setAutoShapes([]);
    if (!drawn) return;
    const before = ground.state.drawable.shapes;
    const others = before.filter((one) => one.orig !== drawn.orig || one.dest !== drawn.dest);
    ground.setShapes(others.length < before.length ? others : [...before, drawn]);
  };
  return <div class="draw-layer" onPointerDown={start} onPointerMove={stretch} onPointerUp={finish} onPointerCancel={() => (from.current = undefined)} />;
}
