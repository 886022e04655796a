import type { PlayedRound } from "../../api/types.ts";
import { boardTheme, pieceSet } from "../../app/prefs.ts";
import { day, t } from "../../i18n/index.ts";
import { gameTitle, timeOf } from "../../lobby/describe.ts";
import { brand, broken, DISPLAY, HEIGHT, loadImage, rounded, stylesOf, TEXT, WIDTH, write, type Canvas, type Picture } from "../../picture/canvas.ts";
import { pictureOf } from "./art/sets.ts";
import { roleOf } from "./pieces.ts";
import { boardOf, type Board } from "./position.ts";
import { gameSummary, scoreOf } from "./summary.ts";
import type { Colour } from "./types.ts";
import { ending } from "./words.ts";
import "../../styles/chess-board.css";

const SIDE = 518;
const LEFT = 56;
const TOP = (HEIGHT - SIDE) / 2;
const INK = "#f4ede2";
const QUIET = "#c9bdae";
const MOVE = "rgb(240 196 60 / 42%)";

/** A game as a picture: the position in which it ended, who played, and how it ended. */
export async function gamePicture(played: PlayedRound): Promise<Picture | null> {
  const summary = gameSummary(played);
  if (!summary) return null;
  const board = boardOf(summary.fen);
  const pieces = await piecesOf(board);
  const last = played.events.findLast((event) => event.type === "moved")?.uci as string | undefined;
  const name = (colour: Colour) => played.names[String(summary[colour])] ?? t(`chess.${colour}`);
  const mine = played.you?.seats ?? [];
  const turned = mine.length === 1 && mine[0] === summary.black;
  const words = ending(summary.winner, summary.reason, { name: summary.winner ? name(summary.winner) : "", variant: summary.variant });
  const facts = [gameTitle(played.game, { variant: summary.variant }), timeOf(played.settings), day(played.ended)].filter(Boolean).join(" · ");
  return {
    alt: `${t("picture.game", { white: name("white"), black: name("black") })}. ${words}`,
    draw(canvas) {
      room(canvas);
      squares(canvas, board, pieces, turned, last ? [last.slice(0, 2), last.slice(2, 4)] : []);
      const x = LEFT + SIDE + 62;
      const width = WIDTH - x - 56;
      brand(canvas, x, 56, INK);
      write(canvas, scoreOf(summary), x, 196, { font: DISPLAY, size: 76, colour: INK });
      broken(canvas, words, width, `600 30px ${TEXT}`)
        .slice(0, 3)
        .forEach((line, row) => write(canvas, line, x, 250 + row * 38, { size: 30, colour: INK, most: width }));
      (["white", "black"] as const).forEach((colour, row) => player(canvas, name(colour), colour, summary.winner === colour, x, 396 + row * 58, width));
      if (summary.opening) write(canvas, summary.opening, x, 524, { size: 22, weight: 500, colour: QUIET, most: width });
      write(canvas, facts, x, 562, { size: 22, weight: 500, colour: QUIET, most: width });
    },
  };
}

async function piecesOf(board: Board): Promise<Map<string, HTMLImageElement>> {
  const letters = [...new Set(board.values())];
  const images = await Promise.all(letters.map(async (piece) => loadImage(sized(await pictureOf(pieceSet.value, `${colourOf(piece)}-${roleOf(piece)}`)))));
  return new Map(letters.map((piece, index) => [piece, images[index] as HTMLImageElement]));
}

const colourOf = (piece: string): Colour => (piece === piece.toUpperCase() ? "white" : "black");

/** A picture without a size of its own cannot be drawn on a canvas in every browser. */
function sized(address: string): string {
  if (!address.startsWith("data:image/svg+xml,") || / width=/.test(decodeURIComponent(address).slice(0, 200))) return address;
  return address.replace("%3Csvg", "%3Csvg%20width%3D%22180%22%20height%3D%22180%22");
}

function room(canvas: Canvas): void {
  const wall = canvas.createLinearGradient(0, 0, WIDTH, HEIGHT);
  wall.addColorStop(0, "#3a302a");
  wall.addColorStop(1, "#1b1714");
  canvas.fillStyle = wall;
  canvas.fillRect(0, 0, WIDTH, HEIGHT);
}

function squares(canvas: Canvas, board: Board, pieces: Map<string, HTMLImageElement>, turned: boolean, marked: readonly string[]): void {
  const colours = stylesOf(`board-${boardTheme.value}`, ["--light-square", "--dark-square"]);
  const size = SIDE / 8;
  canvas.save();
  canvas.shadowColor = "rgb(0 0 0 / 55%)";
  canvas.shadowBlur = 26;
  canvas.fillStyle = colours["--light-square"];
  rounded(canvas, LEFT, TOP, SIDE, SIDE, 8);
  canvas.fill();
  canvas.shadowColor = "transparent";
  canvas.clip();
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const square = turned ? `${"hgfedcba"[column]}${row + 1}` : `${"abcdefgh"[column]}${8 - row}`;
      const [x, y] = [LEFT + column * size, TOP + row * size];
      canvas.fillStyle = (row + column) % 2 ? colours["--dark-square"] : colours["--light-square"];
      canvas.fillRect(x, y, size, size);
      if (marked.includes(square)) {
        canvas.fillStyle = MOVE;
        canvas.fillRect(x, y, size, size);
      }
      const piece = pieces.get(board.get(square) ?? "");
      if (piece) canvas.drawImage(piece, x + size * 0.03, y + size * 0.03, size * 0.94, size * 0.94);
    }
  }
  canvas.restore();
}

function player(canvas: Canvas, name: string, colour: Colour, won: boolean, x: number, y: number, width: number): void {
  canvas.fillStyle = colour === "white" ? "#fffaf0" : "#14110f";
  canvas.strokeStyle = won ? "#e4ae42" : "#8c7f71";
  canvas.lineWidth = won ? 4 : 2;
  rounded(canvas, x, y - 22, 26, 26, 7);
  canvas.fill();
  canvas.stroke();
  write(canvas, name, x + 42, y, { size: 30, weight: won ? 700 : 500, colour: INK, most: width - 42 });
}
