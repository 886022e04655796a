/** Line icons, drawn on a 24 px grid. */
const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  log: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.6-4 3-6 6.5-6s5.900 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2 .8 3.200 2.700 3.500 5.500",
  share: "M12 15V3M7 8l5-5 5 5M5 13v7h14v-7",
  flip: "M7 4v16M7 4L3.500 8M7 4l3.500 4M17 20V4M17 20l-3.500-4M17 20l3.500-4",
  first: "M6 5v14M18 6l-8 6 8 6z",
  prev: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  last: "M18 5v14M6 6l8 6-8 6z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  coins: "M12 7c4 0 7-1 7-2.500S16 2 12 2 5 3 5 4.500 8 7 12 7zM5 4.500v5C5 11 8 12 12 12s7-1 7-2.500v-5M5 9.500v5C5 16 8 17 12 17s7-1 7-2.500v-5M5 14.500v5C5 21 8 22 12 22s7-1 7-2.500v-5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  eye: "M2 12s3.600-6.500 10-6.500S22 12 22 12s-3.600 6.500-10 6.500S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  calc: "M5 3h14v18H5zM8 7h8M8 12h.01M12 12h.01M16 12h.01M8 16h.01M12 16h.01M16 16h.01",
  history: "M4 12a8 8 0 1 0 2.500-5.800L4 8.500M4 4v4.500h4.500M12 8v4.500l3 2",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.7-4.500 3.500-7 8-7s7.300 2.500 8 7",
  bot: "M5 9h14v11H5zM12 9V4M12 4h.01M9 14h.01M15 14h.01M9 17h6",
  engine: "M4 20V10M10 20V4M16 20v-8M21 20H3",
  check: "M5 12.500l4.500 4.500L19 7",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  flag: "M6 21V4M6 4.500c4-2 8 2 12 0v9c-4 2-8-2-12 0",
  pencil: "M4 20l1-4L16.500 4.500l3 3L8 19zM14 7l3 3",
  again: "M4 12a8 8 0 0 1 13.700-5.600L20 8.500M20 4v4.500h-4.500M20 12a8 8 0 0 1-13.700 5.600L4 15.500M4 20v-4.500h4.500",
  plus: "M12 5v14M5 12h14",
  half: "M5 7.500L7 6v7M16 3.500l-8 17M14.500 15c0-3 5-3 5 0 0 2-4.500 3.500-5 5.500h5",
  hand: "M8 12V6a1.500 1.500 0 0 1 3 0v5V4.500a1.500 1.500 0 0 1 3 0V11V6a1.500 1.500 0 0 1 3 0v9c0 4-2 6-5.500 6-3 0-4.500-1.500-7.500-6a1.600 1.600 0 0 1 2.500-2L8 15",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
