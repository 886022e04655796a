import { pick } from "./pick.ts";

/** People's faces on a square of 64, put together from parts. A face is told by one character a part, in this order. */
const PARTS = ["skin", "hair", "colour", "eyes", "mouth", "beard", "glasses", "clothes", "tone"] as const;
type Look = Record<(typeof PARTS)[number], number>;

/** Those that one may choose from. The order never changes: a chosen face is stored by its place in this list. */
export const PEOPLE: readonly string[] = [
  "107232240", "331130023", "211002026", "241130069", "322003002", "450110075", "100322228", "461140021",
  "580322004", "570110147", "090002031", "086100204", "4a1002167", "1c6200120", "4b1420033", "5d0200046",
  "570013029", "0i9140112", "0f2330155", "1f3140048", "3g0012062", "2g1100015", "2h7403038", "3k0200001",
  "4j1210034", "0c5210167", "1e1033320", "034130023", "213014156", "154140009", "320020363", "440140166",
  "104214029", "164230072", "580410305", "560140018", "200011041", "035140014", "410413007", "147140000",
  "420304034", "551100077", "500013030", "061200003", "087203356", "472130009", "390022332", "286240075",
];

const SKINS = ["#fbdcc2", "#f3c49c", "#e0a674", "#bf8051", "#9e6844", "#7a4d34"];
const HAIR = ["#221b18", "#4b2f20", "#8a4f28", "#c8873a", "#e8c36a", "#b5452c", "#8e8f90", "#ece7dc", "#3c4a78", "#a94a78"];
/** Background and clothes. */
const TONES: readonly (readonly [string, string])[] = [
  ["#8fb8d8", "#2f4a68"],
  ["#f0b98a", "#a8452f"],
  ["#a9cfa4", "#2f6b52"],
  ["#cbb4e0", "#5b4583"],
  ["#f2d27e", "#8a5a1e"],
  ["#9ad0cc", "#1f6a70"],
  ["#eea9a4", "#8f2f45"],
  ["#c3c9d4", "#3a4150"],
  ["#b9d07e", "#4f6a22"],
  ["#f3c3d2", "#a34068"],
];

const INK = "#2a201b";
const fill = (colour: string, d: string, more = "") => `<path fill="${colour}" d="${d}"${more}/>`;
const line = (colour: string, width: number, d: string, more = "") =>
  `<path fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"${more}/>`;
const dots = (colour: string, ...places: [number, number, number][]) =>
  places.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`).join("");

const CROP = "M20.3 28c-1.5-11 3.5-16.8 11.7-16.8S45.2 17 43.7 28c-.7-4.3-1.8-7-3.7-8.6-4 1.4-12 1.4-16 0-1.9 1.6-3 4.3-3.7 8.6Z";
const SWEPT = "M20.3 27c-1-10 3.5-15.8 11.7-15.8S44.7 17 43.7 27c-1.7-5.5-5.7-8.5-11.7-8.5S22 21.5 20.3 27Z";
const FRINGE = "M20.3 27.5c-1-10.5 3.5-16 11.7-16s12.7 5.5 11.7 16c-1.3-3-2.7-4.5-4.2-5.5-5 .8-10 .8-15 0-1.5 1-2.9 2.5-4.2 5.5Z";
const PARTED = "M19.8 32c-1.3-13 3-20.3 12.2-20.8 9.2.5 13.5 7.8 12.2 20.8-1.5-7.5-5.5-12.5-12.2-15.5-6.7 3-10.7 8-12.2 15.5Z";
const SIDE = "M20 28.5C18.3 16.5 23.5 10 32.5 10S46 16.5 44 28.5c-.8-4.5-2.2-7.5-4.5-9.5-5.5.3-9.5-.8-12.5-3.5-1 4.5-5.3 6-7 13Z";

/** What hangs behind the head, and what lies upon it. */
const STYLES: readonly ((hair: string, cloth: string) => readonly [behind: string, above: string])[] = [
  (hair) => ["", fill(hair, CROP)],
  (hair) => ["", fill(hair, SIDE)],
  (hair) => ["", fill(hair, "M20.3 28c-2-9-1-13.5 2-16 1-4.5 6-6.5 11-5.5 6-1.5 11 2 11 7.5 1.5 3.5 1 8-.6 14-.7-4.3-1.8-7-3.7-8.6-5 1.6-11 1.2-15.5-.9-2.2 2-3.5 5-4.2 9.5Z")],
  (hair) => [fill(hair, "M16.5 42.5c-3-22 3-33 15.5-33s18.5 11 15.5 33c-3.5 2.5-27.5 2.5-31 0Z"), fill(hair, "M20 29c-1-11.5 3.5-17.5 12-17.5S45 17.5 44 29c-3.5-1.5-6-4-7-7.5-3.5 4.5-9 7-17 7.5Z")],
  (hair) => [fill(hair, "M15.5 58c-2-32 0-49 16.5-49s18.5 17 16.5 49Z"), fill(hair, PARTED)],
  (hair) => [dots(hair, [32, 8.5, 6.5]), fill(hair, SWEPT)],
  (hair) => [fill(hair, "M40 13c10-2.5 14 6 11.5 15.5-1.5 6-1 10.5 2.5 14.5-8 0-12-5.5-11-13.5.8-6.5 0-11-3-16.5Z"), fill(hair, SWEPT)],
  (hair) => [dots(hair, [32, 23, 19.5], [17, 31, 7], [47, 31, 7]), fill(hair, FRINGE)],
  (hair) => ["", dots(hair, [22, 22, 5], [24.5, 16, 5.5], [31, 12.5, 6], [38, 14.5, 5.5], [42, 21, 5], [32, 18, 4.5])],
  () => ["", fill("#fff", "M25 17.5c2-2.5 5-3.5 8-3.3-3 .6-5.5 1.8-7 4Z", ' opacity=".45"')],
  (hair) => ["", fill(hair, "M20.5 26.5c-.8-9.5 3.5-15 11.5-15s12.3 5.5 11.5 15c-.8-3.5-2-5.8-3.5-7.3-4-1.7-12-1.7-16 0-1.5 1.5-2.7 3.8-3.5 7.3Z", ' opacity=".72"')],
  (hair) => ["", fill(hair, "M20.5 26.5c-.5-7 1.5-11.5 6-13.5h11c4.5 2 6.5 6.5 6 13.5-1-5-3-7.5-6-8.5h-11c-3 1-5 3.5-6 8.5Z", ' opacity=".5"') + fill(hair, "M27 19.5C25 10 27.5 5 32 2.5c4.5 2.5 7 7.5 5 17-3 1-7 1-10 0Z")],
  (hair) => [
    fill(hair, "M14.5 47.5c3.5-4 .5-8 1.5-13 1-4.5 0-9 2-14C20.5 12.5 25.5 9 32 9s11.5 3.5 14 11.5c2 5 1 9.5 2 14 1 5-2 9 1.5 13-3.5 3.5-8.5 3.5-11 .5h-13c-2.5 3-7.5 3-11-.5Z"),
    fill(hair, "M20 30.5C18.5 18 23 11.2 32.5 11.2c8.5 0 12.8 6.3 11.5 18.3-1.5-6-4.5-9.5-8.5-12-3.5 5-9.5 6.5-15.5 13Z"),
  ],
  (_, cloth) => [
    fill(cloth, "M14.5 60c-2-34 1.5-51 17.5-51s19.5 17 17.5 51Z"),
    fill(cloth, "M16.5 31C16.5 16.5 22.5 9 32 9s15.5 7.5 15.5 22c0 9-3 15-7.5 19H24c-4.5-4-7.5-10-7.5-19Zm6 0c0 8 4 13 9.5 13s9.5-5 9.5-13-3.5-13-9.5-13-9.5 5-9.5 13Z", ' fill-rule="evenodd"') +
      line("#fff", 1.2, "M21 20.5c3-4.5 6.5-6.5 11-6.5s8 2 11 6.5", ' opacity=".35"'),
  ],
  (_, cloth) => [
    "",
    fill(cloth, "M18.5 25C16 12 22 5 32 5s16 7 13.5 20c-4-4.5-8.5-6.7-13.5-6.7S22.5 20.5 18.5 25Z") + line("#fff", 1.3, "M20 19c6-1.5 14-6 18-13M24.5 18.5c7-2 14-5.5 18-10M44 18c-4-2.5-8-4-12-4.5", ' opacity=".4"'),
  ],
  (hair, cloth) => [
    "",
    fill(hair, "M20.3 31c-.8-4-.8-8 0-11h23.4c.8 3 .8 7 0 11-.5-3-1.2-5-2.2-6.5h-19c-1 1.5-1.7 3.5-2.2 6.5Z") +
      dots("#fff", [32, 5.5, 3.6]) +
      fill(cloth, "M19.5 22C19 12.5 23.5 7 32 7s13 5.5 12.5 15Z") +
      fill("#fff", "M19 18.5h26a1.8 1.8 0 0 1 1.8 1.8v2.9a1.8 1.8 0 0 1-1.8 1.8H19a1.8 1.8 0 0 1-1.8-1.8v-2.9a1.8 1.8 0 0 1 1.8-1.8Z", ' opacity=".88"'),
  ],
  (hair, cloth) => [
    "",
    fill(hair, "M20.3 30c-.8-4-.8-7 0-10h23.4c.8 3 .8 6 0 10-.5-3-1.2-4.5-2.2-6h-19c-1 1.5-1.7 3-2.2 6Z") +
      fill(cloth, "M19.8 21.5C19.3 12.5 24 7.5 32 7.5s12.7 5 12.2 14Z") + fill("#fff", "M27.5 20.5c0-6 1.5-9.5 4.5-9.5s4.5 3.5 4.5 9.5Z", ' opacity=".85"') +
      fill(cloth, "M18.5 20h29c4.5 0 7 2 7.5 5-9-2.8-24-3-36.5-.8Z") + fill("#000", "M18.5 22.5c12-2 27-1.8 36.3.8l.2 1.7c-9-2.8-24-3-36.5-.8Z", ' opacity=".25"'),
  ],
  (hair, cloth) => [
    "",
    fill(hair, "M20.3 29c-.8-4-.8-7 0-10h23.4c.8 3 .8 6 0 10-.5-3-1.2-4.5-2.2-6h-19c-1 1.5-1.7 3-2.2 6Z") +
      fill(cloth, "M9 18.5c5 2.5 9 2.5 13 1.5 1-8 2-13.5 5-14 2-.3 3 1.2 5 1.2s3-1.5 5-1.2c3 .5 4 6 5 14 4 1 8 1 13-1.5-3 5.5-11 8-23 8s-20-2.5-23-8Z") + fill("#000", "M22 20c.3-2.2.5-3.8.8-5 6 1.2 12.4 1.2 18.4 0 .3 1.2.5 2.8.8 5-6 1.7-14 1.7-20 0Z", ' opacity=".35"'),
  ],
  (hair) => [
    fill(hair, "M19 22c-6-1-10 3-9.5 10 .3 5-1 9-4 12 7 .5 12-3.5 12.5-10ZM45 22c6-1 10 3 9.5 10-.3 5 1 9 4 12-7 .5-12-3.5-12.5-10Z") + dots("#fff", [18.5, 25, 2.6], [45.5, 25, 2.6]),
    fill(hair, PARTED),
  ],
  (hair) => [
    line(hair, 6, "M19.5 22c-3 8-4 16-4 26M44.5 22c3 8 4 16 4 26M22.5 20c-2 10-2 20-1.5 32M41.5 20c2 10 2 20 1.5 32"),
    fill(hair, FRINGE) + line(hair, 4.5, "M24 14c-3 2-4.5 6-4.5 14M40 14c3 2 4.5 6 4.5 14M29 12.5c-2 1-4 3-5 6M35 12.5c2 1 4 3 5 6"),
  ],
  (hair) => ["", fill(hair, "M19.8 31.5C17.5 18 22.5 10 32 10s14 6.5 12.5 19c-1-3.5-2.3-6-4.5-8-5 1.5-9 .8-11.5-1.5-1.5 4-6.5 5.5-8.7 12Z")],
];

const EYES: readonly ((brow: string) => string)[] = [
  (brow) => dots(INK, [27, 30, 1.9], [37, 30, 1.9]) + line(brow, 1.7, "M24.5 25.8c1.5-1 3.2-1.1 4.7-.4M39.5 25.8c-1.5-1-3.2-1.1-4.7-.4"),
  (brow) => dots(INK, [27, 30, 1.9], [37, 30, 1.9]) + line(INK, 1.2, "M25.4 28.6l-1.9-1.1M38.6 28.6l1.9-1.1") + line(brow, 1.3, "M24.5 25.6c1.5-1.2 3.2-1.3 4.7-.5M39.5 25.6c-1.5-1.2-3.2-1.3-4.7-.5"),
  (brow) => line(INK, 1.9, "M24.7 30.6c1.2-2 3.4-2 4.6 0M34.7 30.6c1.2-2 3.4-2 4.6 0") + line(brow, 1.5, "M24.5 25.6c1.5-1 3.2-1.1 4.7-.4M39.5 25.6c-1.5-1-3.2-1.1-4.7-.4"),
  (brow) => dots(INK, [27, 30.5, 1.8], [37, 30.5, 1.8]) + line(brow, 1.9, "M24.3 26.9l5-.2M39.7 26.9l-5-.2"),
  (brow) => dots("#fff", [27, 30, 3], [37, 30, 3]) + dots(INK, [27.4, 30, 1.7], [36.6, 30, 1.7]) + line(brow, 1.7, "M24.2 25.3c1.6-1.2 3.6-1.3 5.2-.3M39.8 25.3c-1.6-1.2-3.6-1.3-5.2-.3"),
];

const MOUTHS: readonly string[] = [
  line(INK, 1.6, "M28.2 37.3c2.3 2 5.3 2 7.6 0"),
  fill("#7a2a28", "M27.3 36.5h9.4c-.3 3.5-2 5-4.7 5s-4.4-1.5-4.7-5Z") + fill("#fff", "M27.8 36.5h8.4l-.3 1.9h-7.8Z"),
  line(INK, 1.6, "M28.7 38h6.6"),
  line(INK, 1.6, "M28.3 38.3c2.8.7 5.2.2 7.4-1.8"),
  fill("#b8413f", "M28.3 37.5c1.2-1.1 2.5-1.3 3.7-.6 1.2-.7 2.5-.5 3.7.6-1 2-2.2 2.8-3.7 2.8s-2.7-.8-3.7-2.8Z"),
];

const JAW = "M20.9 29c1 4.2 3 5.8 5.3 5.5 1.5-1.6 10.1-1.6 11.6 0 2.3.3 4.3-1.3 5.3-5.5.9 9.5-3.6 15.8-11.1 15.8S20 38.5 20.9 29Z";
const MOUSTACHE = "M25.5 36.8c1.5-2.5 4.3-3.3 6.5-1.8 2.2-1.5 5-.7 6.5 1.8-2.3.8-4.8.7-6.5-.4-1.7 1.1-4.2 1.2-6.5.4Z";
const BEARDS: readonly ((hair: string) => string)[] = [
  () => "",
  (hair) => fill(hair, JAW, ' opacity=".25"'),
  (hair) => fill(hair, MOUSTACHE),
  (hair) => fill(hair, JAW) + fill(hair, MOUSTACHE),
  (hair) => fill(hair, "M27.5 39.5c0-2.5 9-2.5 9 0 0 3.5-2 6-4.5 6s-4.5-2.5-4.5-6Z") + fill(hair, MOUSTACHE, ' opacity=".85"'),
];

const GLASSES: readonly string[] = [
  "",
  line("#3a2c22", 1.4, "M31 30a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0ZM41.4 30a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0ZM31 29.5c.6-.6 1.4-.6 2 0M22.6 29l-1.8-.8M41.4 29l1.8-.8"),
  line("#1d2430", 1.7, "M23 27h7.8v4.2a2 2 0 0 1-2 2H25a2 2 0 0 1-2-2ZM33.2 27H41v4.2a2 2 0 0 1-2 2h-3.8a2 2 0 0 1-2-2ZM30.8 28h2.4M23 27.8l-2-.5M41 27.8l2-.5"),
  fill("#15181d", "M22 27h9.3c.5 0 .9.3 1.1.8h-.8.8c.2-.5.6-.8 1.1-.8H42v2.5c0 3-1.8 5-4.6 5-2.6 0-4.2-1.8-4.7-4.7h-1.4c-.5 2.9-2.1 4.7-4.7 4.7-2.8 0-4.6-2-4.6-5Z") + line("#fff", 1, "M24 29l2-1M35.5 29l2-1", ' opacity=".5"') + line("#15181d", 1.4, "M22 27.6l-1.5-.4M42 27.6l1.5-.4"),
];

const BODY = "M6 64c.5-10.5 9-15.5 26-15.5S57.5 53.5 58 64Z";
const CLOTHES: readonly ((cloth: string, skin: string) => string)[] = [
  (cloth, skin) => fill(cloth, BODY) + fill(skin, "M26 47.5h12c0 4-2.5 6-6 6s-6-2-6-6Z"),
  (cloth, skin) => fill(cloth, BODY) + fill(skin, "M24.5 47.5h15L32 59Z"),
  (cloth) => fill(cloth, BODY) + fill("#fff", "M25.5 46.5 32 54l6.5-7.5 4 3-6 9-4.5-4-4.5 4-6-9Z"),
  (cloth) => fill(cloth, BODY) + fill("#000", "M20 50c1-4 23-4 24 0-1 6-6 9-12 9s-11-3-12-9Z", ' opacity=".2"') + line("#fff", 1.5, "M28 56v6M36 56v6", ' opacity=".75"'),
  (cloth) => fill(cloth, BODY) + fill(cloth, "M25 45.5h14v6c0 2-14 2-14 0Z") + line("#000", 1.2, "M25.5 50.5c3 1.8 10 1.8 13 0", ' opacity=".3"'),
  (cloth) => fill("#f7f4ee", BODY) + fill(cloth, "M6 64c.4-9.5 7-14.5 19-15.3L32 62v2ZM58 64c-.4-9.5-7-14.5-19-15.3L32 62v2Z") + fill("#c8433a", "M30 52h4l1.5 9L32 64.5 28.5 61Z"),
  (cloth, skin) => fill(cloth, BODY) + line("#fff", 2.4, "M9.5 56.5c12-4 33-4 45 0M6.5 62.5c14-4 37-4 51 0", ' opacity=".8"') + fill(skin, "M26 47.5h12c0 4-2.5 6-6 6s-6-2-6-6Z"),
  (cloth, skin) => fill(cloth, BODY) + fill(skin, "M24 47.5h16c-.5 6-3.5 9-8 9s-7.5-3-8-9Z") + line("#f0c860", 1.5, "M25.5 49.5c1 4.5 3 6.5 6.5 6.5s5.5-2 6.5-6.5"),
];

/** The style that covers the collar too, so that only a high one goes with it. */
const HIJAB = 13;

/** One of the faces, made somebody's own: hair, mouth, glasses, clothes and colours are theirs alone. */
export function personFor(id: string): string {
  const code = PEOPLE[pick(id, PEOPLE.length)] ?? "";
  const { skin, hair, eyes, beard } = lookOf(code);
  const among = (part: string, choices: string) => choices[pick(`${part} ${id}`, choices.length)] ?? "0";
  const colour = among("colour", skin > 2 ? "00112" : "01122334567");
  const mouth = among("mouth", eyes === 1 ? "01344" : "00123");
  const glasses = among("glasses", "00000123");
  const clothes = hair === HIJAB ? 4 : pick(`clothes ${id}`, CLOTHES.length);
  const tone = pick(`tone ${id}`, TONES.length);
  return `${skin}${hair.toString(36)}${colour}${eyes}${mouth}${beard}${glasses}${clothes}${tone}`;
}

function lookOf(code: string): Look {
  return Object.fromEntries(PARTS.map((part, at) => [part, Number.parseInt(code[at] ?? "0", 36)])) as Look;
}

/** The face of that code, as the inside of an svg element. */
export function drawPerson(code: string): string {
  const look = lookOf(code);
  const skin = SKINS[look.skin] ?? "";
  const hair = HAIR[look.colour] ?? "";
  const [back, cloth] = TONES[look.tone] ?? ["", ""];
  const [behind, above] = STYLES[look.hair]?.(hair, cloth) ?? ["", ""];
  const brow = look.colour === 7 || look.colour === 4 ? "#a98a55" : look.skin > 4 ? "#17110e" : hair;
  return [
    `<rect width="64" height="64" fill="${back}"/>`,
    `<circle cx="24" cy="14" r="30" fill="#fff" opacity=".16"/>`,
    behind,
    fill(skin, "M26.5 38h11v13h-11Z") + fill("#000", "M26.5 42.5c3 3.3 8 3.3 11 0v2.5c-3 3.5-8 3.5-11 0Z", ' opacity=".16"'),
    CLOTHES[look.clothes]?.(cloth, skin),
    dots(skin, [20.8, 30.5, 2.9], [43.2, 30.5, 2.9]),
    fill(skin, "M20.8 27.5c0-9.5 4.5-14.5 11.2-14.5s11.2 5 11.2 14.5c0 10-4.7 16.8-11.2 16.8s-11.2-6.8-11.2-16.8Z"),
    dots("#e5604d", [24.5, 34.3, 2.5], [39.5, 34.3, 2.5]).replaceAll("/>", ` opacity="${look.skin > 3 ? ".14" : ".24"}"/>`),
    BEARDS[look.beard]?.(hair),
    line("#000", 1.4, "M32 31.5c.8 1.2 1 2 .2 2.7-.4.3-.9.3-1.4.1", ' opacity=".28"'),
    look.beard === 3 ? MOUTHS[look.mouth]?.replaceAll(INK, "#f2d9c8") : MOUTHS[look.mouth],
    EYES[look.eyes]?.(brow),
    above,
    GLASSES[look.glasses],
  ].join("");
}
