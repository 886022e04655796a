/**
 * King, queen and jack: the upper half of each figure around 0,0, which is the middle of the card. A large card shows it
 * twice, turned by half a circle; the slanted cut lets the halves meet. Colours come from the card that uses the figure.
 */
const CUT = '<clipPath id="court-cut"><path d="M-28-60h56v52.5L-28 8.8Z"/></clipPath>';

const EYES = '<path d="M-3.7-37.3v1.2M3.7-37.3v1.2" stroke="#2b2320" stroke-width="2" stroke-linecap="round"/>';

const KING = `
<path fill="var(--suit)" d="M-27 12V-8c0-10 7-15.5 16-17h22c9 1.5 16 7 16 17v20Z"/>
<path fill="var(--shade)" d="M-27 12V-8c0-4 1.2-7.3 3.2-10L-13-4v16ZM27 12V-8c0-4-1.2-7.3-3.2-10L13-4v16Z"/>
<path fill="var(--gold)" d="M-6.5-14h13v26h-13Z"/>
<path fill="var(--suit)" d="m0-8.5 4 5.5-4 5.5L-4-3Z"/>
<path fill="#fffaf0" d="M-18.5-22.5C-14-12.5-7-9 0-9s14-3.5 18.5-13.5L11-27h-22Z"/>
<path stroke="#2b2320" stroke-width="1.5" stroke-linecap="round" d="M-12.3-19.3l.9 1.5M-7.5-15l.7 1.6M12.3-19.3l-.9 1.5M7.5-15l-.7 1.6"/>
<path fill="var(--hair)" d="M-11.5-44h23v14c0 3-1 5-2.5 6h-18c-1.5-1-2.5-3-2.5-6Z"/>
<path fill="var(--skin)" d="M-8.3-44H8.3v10c0 5-3.8 8.5-8.3 8.5S-8.3-29-8.3-34Z"/>
${EYES}
<path stroke="var(--hair)" stroke-width="1.5" stroke-linecap="round" d="M-5.6-40.3l3.2-.3M5.6-40.3l-3.2-.3"/>
<path fill="var(--hair)" d="M-9.5-36c1.5 2.5 3.5 3.6 5.5 3.2 1.5-.3 2.7-1.3 4-1.3s2.5 1 4 1.3c2 .4 4-.7 5.5-3.2.5 9-1.5 16-9.5 21.5C-8-20-10-27-9.5-36Z"/>
<path stroke="#8f3a34" stroke-width="1.6" stroke-linecap="round" d="M-2-29.8h4"/>
<path fill="var(--gold)" d="M-11.8-42.5-13.5-54l7 5.3L0-57l6.5 8.3 7-5.3-1.7 11.5Z"/>
<path fill="var(--gold-deep)" d="M-12-45.3h24l-.4 3.3h-23.2Z"/>
<circle cy="-43.7" r="1.5" fill="var(--suit)"/>
<g fill="var(--gold-deep)"><circle cx="-13.5" cy="-54.3" r="1.7"/><circle cy="-57" r="1.9"/><circle cx="13.5" cy="-54.3" r="1.7"/></g>
<path stroke="var(--gold-deep)" stroke-width="2.6" stroke-linecap="round" d="M20.5-36v30"/>
<circle cx="20.5" cy="-40" r="4.6" fill="var(--gold)"/><path stroke="var(--gold-deep)" stroke-width="1.5" d="M16-40h9M20.5-48.5v5M18.3-46.5h4.4"/>
<path fill="var(--skin)" d="M16.5-15.5a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v4.5a2 2 0 0 1-2 2h-4a2 2 0 0 1-2-2Z"/>
<path fill="var(--gold)" d="M15.8-10h9.4v3.5h-9.4Z"/>`;

const QUEEN = `
<path fill="var(--hair)" d="M-13.5-17C-16-30-15-48.5 0-48.5S16-30 13.5-17C9-13-9-13-13.5-17Z"/>
<path fill="var(--suit)" d="M-26 12C-27-6-23-18-13-22.5L0-16l13-6.5C23-18 27-6 26 12Z"/>
<path fill="var(--shade)" d="M-26 12c-1-14 1.2-24.5 7.5-30.5C-13.5-12-13-4-14 12ZM26 12c1-14-1.2-24.5-7.5-30.5C13.5-12 13-4 14 12Z"/>
<path fill="var(--skin)" d="M-3.2-31h6.4v6.5L11-22.8C9.5-15 5-11.5 0-11.5S-9.5-15-11-22.8l7.8-1.7Z"/>
<path fill="none" stroke="var(--gold)" stroke-width="2.4" d="M-12-22.9C-10-14-5.5-10.5 0-10.5S10-14 12-22.9"/>
<path fill="none" stroke="var(--gold)" stroke-width="1.3" d="M-6.5-23.3C-5-19.5-2.5-18 0-18s5-1.5 6.5-5.3"/><circle cy="-16.7" r="1.7" fill="var(--gold-deep)"/>
<path fill="var(--gold)" d="M-2-9.5h4V12h-4Z"/>
<path fill="none" stroke="var(--gold)" stroke-width="1.3" d="M-9-3 0 1.5 9-3M-10 4 0 8.5 10 4"/>
<ellipse cy="-36.5" rx="8.2" ry="9.3" fill="var(--skin)"/>
<path fill="var(--hair)" d="M-9-33.5c-1-7 2-12 9-13.5 7 1.5 10 6.5 9 13.5-1.5-4.5-4.5-7.5-9-9-4.5 1.5-7.5 4.5-9 9Z"/>
${EYES}
<path stroke="#2b2320" stroke-width=".9" stroke-linecap="round" d="M-5.4-38.2l-1-.8M5.4-38.2l1-.8"/>
<path fill="#c2403f" d="M-2.4-31.4c.8-.7 1.6-.9 2.4-.4.8-.5 1.6-.3 2.4.4-.7 1.4-1.5 2-2.4 2s-1.7-.6-2.4-2Z"/>
<path fill="#e8917c" opacity=".5" d="M-7-34.5h2.6v1.8H-7ZM4.4-34.5H7v1.8H4.4Z"/>
<path fill="var(--gold)" d="M-10.5-43.3c-1-3-2.5-5.5-4-7.2 3 .7 5 .3 6.5-1.2.8 2 2 3 3.5 3 2 0 3.5-3 4.5-8.3 1 5.3 2.5 8.3 4.5 8.3 1.5 0 2.7-1 3.5-3 1.5 1.5 3.5 1.9 6.5 1.2-1.5 1.7-3 4.2-4 7.2C4-46-4-46-10.5-43.3Z"/>
<g fill="#fffaf0"><circle cx="-7.6" cy="-52.5" r="1.5"/><circle cy="-57.3" r="1.8"/><circle cx="7.6" cy="-52.5" r="1.5"/></g><circle cy="-48.3" r="1.5" fill="var(--suit)"/>
<g transform="scale(-.94 1)"><path fill="none" stroke="#3f7d52" stroke-width="1.8" stroke-linecap="round" d="M-20.5-33c.5 8 .2 16-.5 22M-20.7-20c-2.6-.6-4-2-4.6-4.3"/>
<g fill="var(--suit)"><circle cx="-20.5" cy="-44" r="3.3"/><circle cx="-24.3" cy="-41.2" r="3.3"/><circle cx="-16.7" cy="-41.2" r="3.3"/><circle cx="-22.9" cy="-36.7" r="3.3"/><circle cx="-18.1" cy="-36.7" r="3.3"/></g><circle cx="-20.5" cy="-39.9" r="2.5" fill="var(--gold)"/>
<path fill="var(--skin)" d="M-24.5-13.5a2 2 0 0 1 2-2h3.5a2 2 0 0 1 2 2V-9.5a2 2 0 0 1-2 2h-3.5a2 2 0 0 1-2-2Z"/>
<path fill="var(--gold)" d="M-25.3-8.5h9V-5.3h-9Z"/></g>`;

const JACK = `
<path fill="var(--suit)" d="M-25 12V-9c0-8.5 6-13.5 14-14.5h22c8 1 14 6 14 14.5v21Z"/>
<path fill="var(--gold)" d="M-13-23.3-4-23.5 14-6V3ZM-25-9c0-4 1.3-7.3 3.7-9.7L6 8.5V12H-1.5L-25-11.5Z"/>
<path fill="var(--shade)" d="M-25 12V-9c0-2 .3-3.8.9-5.4L-16 2v10ZM25 12V-9c0-2-.3-3.8-.9-5.4L16 2v10Z"/>
<path fill="var(--skin)" d="M-3.5-31h7v9h-7Z"/>
<path fill="#fffaf0" d="M-12.5-24.5 0-25.8l12.5 1.3-3 7-3.3-2.8L3-15.5 0-18.8l-3 3.3-3.2-4.8-3.3 2.8Z"/>
<path fill="var(--hair)" d="M-10.5-46h21c1.5 7 1.5 12 1 16 1 1.5 2.3 2.3 3.7 2.5-2.8 2.6-6.7 2.6-9.2.5H-6c-2.5 2.1-6.4 2.1-9.2-.5 1.4-.2 2.7-1 3.7-2.5-.5-4-.5-9 1-16Z"/>
<path fill="var(--skin)" d="M-8-44H8v9.5c0 5-3.6 8.5-8 8.5s-8-3.5-8-8.5Z"/>
<path fill="var(--hair)" d="M-8.5-38.5V-45h17v6.5c-2-2.3-4.5-3.4-7.5-3.4-3.5 0-6.5 1-9.5 3.4Z"/>
${EYES}
<path fill="none" stroke="#9c4a3f" stroke-width="1.5" stroke-linecap="round" d="M-2.6-31.2c1.8 1.3 3.9 1.1 5.4-.4"/>
<path fill="var(--shade)" d="M-13.5-43C-15.5-51-8-56 1.5-55.5 9.5-55 15-50.5 14-43Z"/>
<path fill="var(--gold)" d="M-14-45.5h28.5l-.6 3.7h-27.3Z"/>
<path fill="#fffaf0" d="M8.5-46.5C9-54 14.5-59 23-58.5c-1 1.5-1.3 2.6-1 4-1.5.5-2.3 1.5-2.6 3.2-1.6.1-2.7.8-3.4 2.3-3.5-.2-5.5.6-7.5 2.5Z"/>
<path fill="none" stroke="#b9ab92" stroke-width=".9" stroke-linecap="round" d="M9.5-47.5C12.5-52 16-55 20.5-57"/>
<path fill="#dfe5ea" d="M19-36l1.7-3.5L22.4-36v20H19Z"/><path fill="#aab4bd" d="M20.7-39.5 22.4-36v20h-1.7Z"/>
<path stroke="var(--gold-deep)" stroke-width="2.6" stroke-linecap="round" d="M16-15.5h9.4"/>
<path fill="var(--skin)" d="M17-14h7.4v5.5a2 2 0 0 1-2 2H19a2 2 0 0 1-2-2Z"/><circle cx="20.7" cy="-4.5" r="2.2" fill="var(--gold-deep)"/>`;

export const COURTS: Readonly<Record<string, string>> = { K: KING, Q: QUEEN, J: JACK };

let drawn = false;

/** Puts the figures into the page, once; cards refer to them as #court-K, #court-Q and #court-J. */
export function drawCourts(): void {
  if (drawn) return;
  drawn = true;
  const sheet = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  sheet.setAttribute("class", "card-sheet");
  sheet.setAttribute("aria-hidden", "true");
  sheet.innerHTML = CUT + Object.entries(COURTS).map(([rank, figure]) => `<g id="court-${rank}">${figure}</g>`).join("");
  document.body.append(sheet);
}
