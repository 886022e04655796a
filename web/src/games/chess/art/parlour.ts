/** Our own pieces: broad, flat figures with a round foot, made to be told apart at 28 px. Drawn on a grid of 45. */

type Colour = "white" | "black";

const FOOT = "M11 40.5c-.8 0-1.5-.7-1.5-1.5v-1.2c0-1.5 1.2-2.8 2.8-2.8h20.4c1.5 0 2.8 1.2 2.8 2.8V39c0 .8-.7 1.5-1.5 1.5z";

/** Body, and lines in the other colour on it. */
const SHAPES: Readonly<Record<string, { body: string; lines: string }>> = {
  pawn: {
    body: "M22.5 9.5a6 6 0 0 1 3.9 10.6h1.9c.8 0 1.4.6 1.4 1.4v.6c0 .8-.6 1.4-1.4 1.4h-1.6c.5 5.2 2.6 8.6 5.1 11.5H13.2c2.5-2.9 4.6-6.3 5.1-11.5h-1.6c-.8 0-1.4-.6-1.4-1.4v-.6c0-.8.6-1.4 1.4-1.4h1.9A6 6 0 0 1 22.5 9.5z",
    lines: "M18.3 23.5h8.4",
  },
  rook: {
    body: "M12 8.5c0-.6.4-1 1-1h3.6c.6 0 1 .4 1 1v2.3h2.6V8.5c0-.6.4-1 1-1h2.6c.6 0 1 .4 1 1v2.3h2.6V8.5c0-.6.4-1 1-1H32c.6 0 1 .4 1 1v7.2c0 .5-.2 1-.6 1.4L29.5 20l1.3 15H14.2l1.3-15-2.9-2.9c-.4-.4-.6-.9-.6-1.4z",
    lines: "M15.5 20h14M14.6 30.5h15.8",
  },
  knight: {
    body: "M20.3 5.3c.5-.5 1.3-.4 1.6.2l1.7 3.1C31.3 10 35 16.5 34.5 25.5c-.2 3.6-1 6.6-1.6 9.5H13.5c-.4-5.6 3.4-8.5 6.2-11.5-2.7.6-4.6 1.3-6 2.8-.9 1-2.4 1.3-3.5.6l-1.6-1c-1.2-.8-1.5-2.3-.8-3.5l4.6-7.6c.7-3.1 2.5-5.3 5.3-6.4.3-1.3 1.2-2.2 2.6-3.1z",
    lines: "M26.8 13.5c3 3.5 4.2 8 3.8 14",
  },
  bishop: {
    body: "M22.5 4a2.9 2.9 0 0 1 1.9 5.1c4.6 3.3 7 7.3 7 11.2 0 3-1.5 5.4-3.9 6.9h.7c.8 0 1.4.6 1.4 1.4v.6c0 .8-.5 1.3-1.2 1.4.6 1.8 1.6 3.2 2.9 4.4H13.7c1.3-1.2 2.3-2.6 2.9-4.4-.7-.1-1.2-.6-1.2-1.4v-.6c0-.8.6-1.4 1.4-1.4h.7c-2.4-1.5-3.9-3.9-3.9-6.9 0-3.9 2.4-7.9 7-11.2A2.9 2.9 0 0 1 22.5 4z",
    lines: "M26.5 12l-5 6.5M16.6 30.6h11.8",
  },
  queen: {
    body: "M7.6 10.3a2.5 2.5 0 1 1 3.6 2.8l5.1 8.1.9-10.6a2.6 2.6 0 1 1 2.7-.3l2.6 9.3 2.6-9.3a2.6 2.6 0 1 1 2.7.3l.9 10.6 5.1-8.1a2.5 2.5 0 1 1 2.4.3L32 28.5c-.4 2.4-.2 4.5.7 6.5H12.3c.9-2 1.1-4.1.7-6.5L8.8 13.4a2.5 2.5 0 0 1-1.2-3.1z",
    lines: "M13 27.5c6-1.5 13-1.5 19 0M13.3 31.5c6-1.3 12.4-1.3 18.4 0",
  },
  king: {
    body: "M21 3.5h3v2.7h2.8v3H24v2.7c8.4-3.4 13.5 2.2 11.5 8.3-.9 2.7-2.8 5-3.8 8.3-.6 2.1-.4 4.4.3 6.5H13c.7-2.1.9-4.4.3-6.5-1-3.3-2.9-5.6-3.8-8.3C7.5 14.1 12.6 8.5 21 11.9V9.2h-2.8v-3H21z",
    lines: "M22.5 14.5v10M13.3 27.5c6-1.5 12.4-1.5 18.4 0M13.3 31.5c6-1.3 12.4-1.3 18.4 0",
  },
};

const INK = { white: { fill: "#fffaf0", edge: "#3a2d23", line: "#3a2d23" }, black: { fill: "#4a423c", edge: "#191512", line: "#e8dccb" } } as const;

/** One piece as a picture. */
export function draw(role: string, colour: Colour): string {
  const { fill, edge, line } = INK[colour];
  const { body = "", lines = "" } = SHAPES[role] ?? {};
  const eye = role === "knight" ? `<circle cx="18.6" cy="14.8" r="1.4" fill="${line}"/>` : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"><g fill="${fill}" stroke="${edge}" stroke-width="1.6" stroke-linejoin="round">` +
    `<path d="${body}"/><path d="${FOOT}"/></g><path d="${lines}" fill="none" stroke="${line}" stroke-width="1.5" stroke-linecap="round"/>${eye}</svg>`
  );
}
