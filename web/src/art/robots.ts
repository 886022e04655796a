import { pick } from "./pick.ts";

/** Players of the house: robots on a square of 64, of several builds, in colours of their own. */
interface Paint {
  back: string;
  metal: string;
  shade: string;
  light: string;
}

const PAINTS: readonly Paint[] = [
  { back: "#223a52", metal: "#d5dee6", shade: "#8fa3b5", light: "#6fe3ff" },
  { back: "#3a2a55", metal: "#cdbdf0", shade: "#8f78c4", light: "#ffd166" },
  { back: "#1e4a44", metal: "#a9e0cc", shade: "#5fa890", light: "#fff3a8" },
  { back: "#5a2a2e", metal: "#f2b5a0", shade: "#bd7263", light: "#ffe27a" },
  { back: "#4a3a1c", metal: "#f0cf83", shade: "#b58f42", light: "#8df5d6" },
  { back: "#2b3a24", metal: "#c3d99a", shade: "#86a05c", light: "#ff9e7a" },
  { back: "#552a48", metal: "#f0b3d6", shade: "#b06c95", light: "#9df0ff" },
  { back: "#2d3138", metal: "#f4f1ea", shade: "#aaa69c", light: "#ff6f61" },
];

const SCREEN = "#12181f";

const BUILDS: readonly ((paint: Paint) => string)[] = [
  // A visor.
  ({ metal, shade, light }) => `
<path d="M32 8v8" stroke="${shade}" stroke-width="3"/><circle cx="32" cy="7" r="4" fill="${light}"/>
<path fill="${shade}" d="M9 27h6v12H9ZM49 27h6v12h-6Z"/>
<rect x="13" y="15" width="38" height="34" rx="12" fill="${metal}"/>
<rect x="18" y="23" width="28" height="14" rx="7" fill="${SCREEN}"/><circle cx="26" cy="30" r="3.2" fill="${light}"/><circle cx="38" cy="30" r="3.2" fill="${light}"/>
<path d="M27 43h10" stroke="${shade}" stroke-width="2.5" stroke-linecap="round"/>`,
  // One eye.
  ({ metal, shade, light }) => `
<path fill="${shade}" d="M22 14 15 5l11 6ZM42 14l7-9-11 6Z"/>
<circle cx="32" cy="31" r="20" fill="${metal}"/><path fill="${shade}" d="M12.5 35h39c-1.8 9.2-9.8 16-19.5 16s-17.7-6.8-19.5-16Z"/>
<circle cx="32" cy="29" r="11" fill="${SCREEN}"/><circle cx="32" cy="29" r="6" fill="${light}"/><circle cx="34.2" cy="26.8" r="1.9" fill="#fff"/>
<path d="M26 44h12" stroke="${SCREEN}" stroke-width="2.5" stroke-linecap="round"/>`,
  // A television set.
  ({ metal, shade, light }) => `
<path d="M26 14 18 4M38 14l8-10" stroke="${shade}" stroke-width="2.6" stroke-linecap="round"/><circle cx="18" cy="4.5" r="2.6" fill="${light}"/><circle cx="46" cy="4.5" r="2.6" fill="${light}"/>
<rect x="10" y="13" width="44" height="36" rx="8" fill="${metal}"/><rect x="14.5" y="17.5" width="35" height="27" rx="6" fill="${SCREEN}"/>
<path fill="none" stroke="${light}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="M21 29l3.5-3.5L28 29M36 29l3.5-3.5L43 29M25.5 36c3.5 3 9.5 3 13 0"/>`,
  // A dome of glass.
  ({ metal, shade, light }) => `
<path fill="${metal}" d="M11 31C11 18 20 9 32 9s21 9 21 22v3H11Z"/><path fill="#fff" opacity=".5" d="M17 27c1.5-7 5-11.5 10.5-13.5-4 3.5-6.3 8-7 13.5Z"/>
<rect x="9" y="32" width="46" height="7" rx="3.5" fill="${shade}"/><path fill="${metal}" d="M14 39h36v4c0 4-3.5 7-8 7H22c-4.5 0-8-3-8-7Z"/>
<circle cx="24.5" cy="26" r="4.6" fill="${SCREEN}"/><circle cx="39.5" cy="26" r="4.6" fill="${SCREEN}"/><circle cx="25" cy="25.5" r="2.3" fill="${light}"/><circle cx="40" cy="25.5" r="2.3" fill="${light}"/>
<path d="M23 44.5h3M30.5 44.5h3M38 44.5h3" stroke="${SCREEN}" stroke-width="3" stroke-linecap="round"/>`,
  // A box with a grille.
  ({ metal, shade, light }) => `
<path fill="${light}" d="M27 6h10v6H27Z"/><path fill="${shade}" d="M24 10h16v5H24ZM8 25h7v9H8ZM49 25h7v9h-7Z"/>
<rect x="14" y="14" width="36" height="36" rx="4" fill="${metal}"/><path fill="${shade}" d="M14 18a4 4 0 0 1 4-4h28a4 4 0 0 1 4 4v1H14Z"/>
<rect x="19" y="23" width="9" height="9" rx="2" fill="${SCREEN}"/><rect x="36" y="23" width="9" height="9" rx="2" fill="${SCREEN}"/><path fill="${light}" d="M21.5 25.5h4v4h-4ZM38.5 25.5h4v4h-4Z"/>
<rect x="20" y="37" width="24" height="8" rx="2.5" fill="${SCREEN}"/><path d="M25 37v8M30 37v8M34.5 37v8M39 37v8" stroke="${metal}" stroke-width="1.6"/>`,
  // A hexagon.
  ({ metal, shade, light }) => `
<path fill="${shade}" d="M6 26h8v10H6ZM50 26h8v10h-8Z"/><path fill="${metal}" d="M32 7 53 19v24L32 55 11 43V19Z"/><path fill="${shade}" d="M32 55 11 43v-9l21 9 21-9v9Z"/>
<path fill="${SCREEN}" d="M17 24h30l-3.5 10h-23Z"/><path d="M23 29h6M35 29h6" stroke="${light}" stroke-width="3.6" stroke-linecap="round"/>
<path d="M32 11v6" stroke="${light}" stroke-width="3" stroke-linecap="round"/>`,
  // A cat of tin.
  ({ metal, shade, light }) => `
<path fill="${metal}" d="M13 29V8l14 9h10l14-9v21c0 12-7.5 20-19 20S13 41 13 29Z"/><path fill="${shade}" d="M17 15.5 24 20l-7 4ZM47 15.5 40 20l7 4Z"/>
<ellipse cx="24.5" cy="30" rx="5" ry="5.5" fill="${SCREEN}"/><ellipse cx="39.5" cy="30" rx="5" ry="5.5" fill="${SCREEN}"/><path d="M24.5 27.5v5M39.5 27.5v5" stroke="${light}" stroke-width="3" stroke-linecap="round"/>
<path fill="${SCREEN}" d="M30 37h4l-2 2.5Z"/><path fill="none" stroke="${SCREEN}" stroke-width="1.6" stroke-linecap="round" d="M32 39.5v1.5c0 1.5-3.5 2-4.5.5M32 41c0 1.5 3.5 2 4.5.5"/>
<path d="M6 34l8 1M6.5 39.5 14.5 38M58 34l-8 1M57.5 39.5 49.5 38" stroke="${shade}" stroke-width="1.6" stroke-linecap="round"/>`,
  // Two lenses on a neck.
  ({ metal, shade, light }) => `
<path stroke="${shade}" stroke-width="6" d="M32 38v14"/><path stroke="${metal}" stroke-width="2" d="M29 43h6M29 47h6"/>
<circle cx="20.5" cy="26" r="14" fill="${metal}"/><circle cx="43.5" cy="26" r="14" fill="${metal}"/><rect x="26" y="21" width="12" height="10" fill="${shade}"/>
<circle cx="20.5" cy="26" r="9" fill="${SCREEN}"/><circle cx="43.5" cy="26" r="9" fill="${SCREEN}"/><circle cx="22" cy="27" r="4.6" fill="${light}"/><circle cx="42" cy="27" r="4.6" fill="${light}"/><circle cx="23.5" cy="25.5" r="1.5" fill="#fff"/><circle cx="43.5" cy="25.5" r="1.5" fill="#fff"/>
<path d="M11 10l11 3M53 10l-11 3" stroke="${shade}" stroke-width="3" stroke-linecap="round"/>`,
];

/** The robot of that name, as the inside of an svg element. */
export function drawRobot(name: string): string {
  const paint = PAINTS[pick(`paint ${name}`, PAINTS.length)];
  const build = BUILDS[pick(`build ${name}`, BUILDS.length)];
  if (!paint || !build) return "";
  return `<rect width="64" height="64" fill="${paint.back}"/><path fill="#fff" opacity=".08" d="M0 0h64L0 64Z"/>
<path fill="${paint.shade}" opacity=".75" d="M14 64c1.5-8 8-11.5 18-11.5S48.5 56 50 64Z"/>${build(paint)}`;
}
