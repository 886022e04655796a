import { fourColours } from "../app/prefs.ts";
import { RANKS } from "../art/ranks.ts";
import { SUITS } from "../art/suits.ts";
import { fillPath, loadImage, rounded, stylesOf, type Canvas } from "./canvas.ts";
import "../styles/cards.css";

const COLOURS = ["--suit", "--shade", "--hair", "--skin", "--gold", "--gold-deep"] as const;
/** A card is drawn on a grid of 100 by 140, as on the page. */
const GRID = 100;

export const cardHeight = (width: number): number => (width * 140) / GRID;

export interface CardPainter {
  card(canvas: Canvas, card: string, x: number, y: number, width: number): void;
  back(canvas: Canvas, x: number, y: number, width: number): void;
}

/** Draws these cards on a canvas with the shapes and colours that they have on the page; their court figures are fetched first. */
export async function cardPainter(cards: readonly string[]): Promise<CardPainter> {
  const figures = new Map<string, HTMLImageElement>();
  const courts = new Set(cards.filter((card) => "KQJ".includes(card.slice(0, -1))));
  if (courts.size) {
    const { COURTS } = await import("../art/courts.ts");
    for (const card of courts) figures.set(card, await loadImage(figure(COURTS[card.slice(0, -1)] ?? "", coloursOf(card))));
  }
  return {
    card: (canvas, card, x, y, width) => paint(canvas, card, figures.get(card), x, y, width),
    back,
  };
}

function coloursOf(card: string): Record<(typeof COLOURS)[number], string> {
  return stylesOf(`card ${fourColours.value ? "four" : "two"} ${card.slice(-1)}`, COLOURS);
}

/** A court figure as a picture of its own, in which no style sheet of the page holds. */
function figure(markup: string, colours: Record<string, string>): string {
  const inked = markup.replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => colours[name] ?? "");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="720" viewBox="-28 -60 56 72" fill="none">${inked}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function paper(canvas: Canvas, x: number, y: number, width: number): void {
  canvas.shadowColor = "rgb(0 0 0 / 38%)";
  canvas.shadowBlur = 8;
  canvas.shadowOffsetY = 3;
  canvas.fillStyle = "#fffdf8";
  rounded(canvas, x, y, width, cardHeight(width), width * 0.08);
  canvas.fill();
  canvas.shadowColor = "transparent";
}

function paint(canvas: Canvas, card: string, court: HTMLImageElement | undefined, x: number, y: number, width: number): void {
  const rank = RANKS[card.slice(0, -1)] ?? { path: "", width: 0 };
  const suit = new Path2D(SUITS[card.slice(-1)]);
  const ink = coloursOf(card)["--suit"];
  canvas.save();
  paper(canvas, x, y, width);
  canvas.clip();
  canvas.translate(x, y);
  canvas.scale(width / GRID, width / GRID);
  canvas.fillStyle = canvas.strokeStyle = ink;
  const at = (left: number, top: number, scale: number, draw: () => void) => {
    canvas.save();
    canvas.translate(left, top);
    canvas.scale(scale, scale);
    draw();
    canvas.restore();
  };
  if (court) at(63, 140, 1.3, () => canvas.drawImage(court, -28, -60, 56, 72));
  else at(63, 99, 2.55, () => fillPath(canvas, suit));
  at(7, 9, 1.06, () => {
    at(15, 58, 1.1, () => fillPath(canvas, suit));
    canvas.lineWidth = 6.6;
    canvas.lineCap = canvas.lineJoin = "round";
    at((30 - rank.width) / 2, 0, 1, () => canvas.stroke(new Path2D(rank.path)));
  });
  canvas.restore();
}

/** A card that nobody has seen. */
function back(canvas: Canvas, x: number, y: number, width: number): void {
  const edge = width * 0.06;
  canvas.save();
  paper(canvas, x, y, width);
  canvas.fillStyle = "#8a2c28";
  rounded(canvas, x + edge, y + edge, width - 2 * edge, cardHeight(width) - 2 * edge, edge);
  canvas.fill();
  canvas.strokeStyle = "rgb(244 211 192 / 75%)";
  canvas.lineWidth = Math.max(1, width / 60);
  rounded(canvas, x + 1.8 * edge, y + 1.8 * edge, width - 3.6 * edge, cardHeight(width) - 3.6 * edge, edge * 0.6);
  canvas.stroke();
  canvas.fillStyle = "#fbe7da";
  canvas.translate(x + width / 2, y + cardHeight(width) / 2);
  canvas.scale(width / GRID, width / GRID);
  fillPath(canvas, new Path2D(SUITS.s));
  canvas.restore();
}
