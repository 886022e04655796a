/** What every shared picture is drawn with: its size, its text, and colours taken from the style sheets. */

import { fetchFonts } from "../art/fonts.ts";

export const WIDTH = 1200;
export const HEIGHT = 630;

export type Canvas = CanvasRenderingContext2D;

/** A picture of a round: what it shows, for those who cannot see it, and how it is drawn. */
export interface Picture {
  alt: string;
  draw(canvas: Canvas): void;
}

/** A typeface of the page, which the canvas knows by the same name. */
export const TEXT = '"Parlour Text", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
export const DISPLAY = '"Parlour Display", Georgia, serif';

interface Style {
  font?: string;
  weight?: number;
  size: number;
  colour: string;
  align?: CanvasTextAlign;
  /** The text is drawn smaller, and at last cut, so that it is no wider. */
  most?: number;
}

/** Text that would have to become smaller than this part of its size is cut instead. */
const SMALLEST = 0.62;

/** One line of text, its baseline at y. */
export function write(canvas: Canvas, text: string, x: number, y: number, { font = TEXT, weight = 600, size, colour, align = "left", most }: Style): void {
  let shown = text;
  let now = size;
  const tooWide = () => {
    canvas.font = `${weight} ${now}px ${font}`;
    return most !== undefined && canvas.measureText(shown).width > most;
  };
  while (tooWide() && now > size * SMALLEST) now -= 1;
  while (tooWide() && shown.length > 2) shown = `${shown.slice(0, -2)}…`;
  canvas.textAlign = align;
  canvas.textBaseline = "alphabetic";
  canvas.fillStyle = colour;
  canvas.fillText(shown, x, y);
}

/** The lines that a text is broken into so that none is wider than this. */
export function broken(canvas: Canvas, text: string, most: number, font: string): string[] {
  canvas.font = font;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && canvas.measureText(longer).width <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

export function rounded(canvas: Canvas, x: number, y: number, width: number, height: number, radius: number): void {
  canvas.beginPath();
  canvas.roundRect(x, y, width, height, radius);
}

export function fillPath(canvas: Canvas, path: Path2D): void {
  canvas.fill(path);
}

/** The name of the app with its sign. */
export function brand(canvas: Canvas, x: number, y: number, colour: string): void {
  canvas.save();
  canvas.translate(x, y);
  canvas.scale(0.62, 0.62);
  canvas.fillStyle = "rgb(255 255 255 / 16%)";
  rounded(canvas, 0, 0, 64, 64, 15);
  canvas.fill();
  canvas.fillStyle = "#fffaf0";
  fillPath(canvas, new Path2D("M32 11c7 9 17 14 17 24 0 6-4 9-8 9-3 0-5-1-7-3 0 5 2 9 5 12H25c3-3 5-7 5-12-2 2-4 3-7 3-4 0-8-3-8-9 0-10 10-15 17-24z"));
  canvas.restore();
  write(canvas, "Parlour", x + 50, y + 29, { font: DISPLAY, size: 28, colour });
}

/** The values of custom properties as the style sheets give them to an element of these classes. */
export function stylesOf<Name extends string>(classes: string, names: readonly Name[]): Record<Name, string> {
  const probe = document.createElement("span");
  probe.className = classes;
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const values = names.map((name) => [name, style.getPropertyValue(name).trim()] as const);
  probe.remove();
  return Object.fromEntries(values) as Record<Name, string>;
}

export async function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** The page's typefaces, where they can be had: a picture that is drawn without them has those of the device. */
export async function fontsReady(): Promise<void> {
  await fetchFonts();
  await Promise.all([document.fonts.load(`600 28px ${DISPLAY}`), document.fonts.load(`600 28px ${TEXT}`)]).catch(() => undefined);
}
