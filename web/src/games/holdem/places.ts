/** Where seats stand around the table, in hundredths of its width and height; index 0 is the near middle. */
export interface Place {
  x: number;
  y: number;
  /** Which edge the seat stands at: its bet lies on the other side. */
  side: "left" | "right" | "top" | "bottom";
}

/** On a wide screen: on an ellipse, at equal angles, from the top edge to the bottom edge. */
export function aroundOval(count: number): Place[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI;
    const x = -Math.sin(angle);
    const y = Math.cos(angle);
    const side = y < -0.75 ? "top" : y > 0.75 ? "bottom" : x < 0 ? "left" : "right";
    return { x: 50 + 43 * x, y: 50 + 50 * y, side };
  });
}

/** On a phone: up the left edge, over the top, down the right edge. The near middle belongs to the player. */
export function alongEdges(count: number): Place[] {
  const others = count - 1;
  const each = Math.floor(others / 2);
  const onTop = others % 2;
  const places: Place[] = [{ x: 50, y: 100, side: "bottom" }];
  const [low, high] = [83, onTop ? 28 : 14];
  const height = (row: number) => (each > 1 ? low - ((low - high) * row) / (each - 1) : (low + high) / 2);
  for (let row = 0; row < each; row++) places.push({ x: 0, y: height(row), side: "left" });
  if (onTop) places.push({ x: 50, y: 0, side: "top" });
  for (let row = each - 1; row >= 0; row--) places.push({ x: 100, y: height(row), side: "right" });
  return places;
}
