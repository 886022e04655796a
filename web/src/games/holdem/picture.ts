import type { PlayedRound } from "../../api/types.ts";
import { felt } from "../../app/prefs.ts";
import { day, t } from "../../i18n/index.ts";
import { gameTitle } from "../../lobby/describe.ts";
import { brand, broken, HEIGHT, rounded, stylesOf, TEXT, WIDTH, write, type Canvas, type Picture } from "../../picture/canvas.ts";
import { cardHeight, cardPainter, type CardPainter } from "../../picture/cards.ts";
import { framesOf } from "./foldPoker.ts";
import { exact, signed } from "./money.ts";
import { resultLines } from "./stage/results.ts";
import { boardsOf, handSummary, type HandSummary } from "./summary.ts";
import { cardNames, kindName } from "./words.ts";
import "../../styles/felts.css";

const FELT = ["--felt-light", "--felt-mid", "--felt-deep", "--felt-ink", "--felt-muted", "--rail-light", "--rail-mid", "--rail-dark"] as const;
const RAIL = 26;
const GOLD = "#e4ae42";

/** One player in the picture. */
interface Shown {
  name: string;
  cards: string[];
  made: string;
  net: number;
  won: boolean;
}

/** A hand as a picture: the boards, the hands that were shown, the pot and who won it. With `own`, one's own cards as well. */
export async function handPicture(played: PlayedRound, own: boolean): Promise<Picture | null> {
  const summary = handSummary(played);
  if (!summary) return null;
  const boards = boardsOf(summary).filter((board) => board.length);
  const hands = handsOf(played, summary, own);
  const last = framesOf(played).at(-1)?.view;
  const lines = last ? resultLines(last) : [];
  const pot = t("picture.pot", { amount: exact(summary.pot, summary.blinds[1]) });
  const cards = await cardPainter([...boards.flat(), ...hands.flatMap((hand) => hand.cards)]);
  return {
    alt: [...lines, pot, ...boards.map((board) => `${t("poker.board")}: ${cardNames(board)}`), ...hands.map((hand) => `${hand.name}: ${cardNames(hand.cards)}`)].join(". "),
    draw(canvas) {
      const colours = stylesOf(`felt-${felt.value}`, FELT);
      cloth(canvas, colours);
      brand(canvas, 62, 54, colours["--felt-ink"]);
      const what = [gameTitle(played.game, { variant: summary.variant, limit: summary.limit }), summary.blinds.join("/"), day(played.ended)].join(" · ");
      write(canvas, what, WIDTH - 62, 83, { size: 24, weight: 500, colour: colours["--felt-muted"], align: "right", most: 640 });
      headline(canvas, lines, colours["--felt-ink"]);
      boardRows(canvas, cards, boards);
      write(canvas, pot, WIDTH / 2, boards.length ? 418 : 320, { size: 28, colour: colours["--felt-muted"], align: "center" });
      handRow(canvas, cards, hands, summary.blinds[1], colours["--felt-ink"]);
    },
  };
}

function handsOf(played: PlayedRound, summary: HandSummary, own: boolean): Shown[] {
  const mine = own ? (played.you?.seats ?? []) : [];
  const seats = Object.keys(summary.net).filter((seat) => summary.shown[seat] || mine.includes(Number(seat)) || summary.winners.includes(Number(seat)));
  return seats.map((seat) => ({
    name: played.names[seat] ?? t("seat.n", { n: Number(seat) + 1 }),
    cards: summary.shown[seat] ?? (mine.includes(Number(seat)) ? (played.you?.cards ?? []) : []),
    made: summary.made[seat] ? kindName(summary.made[seat] ?? "") : "",
    net: summary.net[seat] ?? 0,
    won: summary.winners.includes(Number(seat)),
  }));
}

function cloth(canvas: Canvas, colours: Record<(typeof FELT)[number], string>): void {
  const wood = canvas.createLinearGradient(0, 0, 0, HEIGHT);
  wood.addColorStop(0, colours["--rail-light"]);
  wood.addColorStop(0.45, colours["--rail-mid"]);
  wood.addColorStop(1, colours["--rail-dark"]);
  canvas.fillStyle = wood;
  canvas.fillRect(0, 0, WIDTH, HEIGHT);
  const light = canvas.createRadialGradient(WIDTH / 2, HEIGHT * 0.4, 60, WIDTH / 2, HEIGHT * 0.45, WIDTH * 0.62);
  light.addColorStop(0, colours["--felt-light"]);
  light.addColorStop(0.55, colours["--felt-mid"]);
  light.addColorStop(1, colours["--felt-deep"]);
  canvas.fillStyle = light;
  canvas.shadowColor = "rgb(0 0 0 / 60%)";
  canvas.shadowBlur = 18;
  rounded(canvas, RAIL, RAIL, WIDTH - 2 * RAIL, HEIGHT - 2 * RAIL, 54);
  canvas.fill();
  canvas.shadowColor = "transparent";
  canvas.strokeStyle = "rgb(255 255 255 / 15%)";
  canvas.lineWidth = 2;
  rounded(canvas, RAIL + 14, RAIL + 14, WIDTH - 2 * RAIL - 28, HEIGHT - 2 * RAIL - 28, 42);
  canvas.stroke();
}

/** Who won: on one line in large letters, or on as many smaller ones as there are pots, up to three. */
function headline(canvas: Canvas, lines: readonly string[], colour: string): void {
  const size = lines.length > 1 ? 27 : 38;
  const rows = lines.length === 1 ? broken(canvas, lines[0] ?? "", 1050, `600 ${size}px ${TEXT}`) : lines;
  rows.slice(0, 3).forEach((line, row) => write(canvas, line, WIDTH / 2, (rows.length > 1 ? 128 : 150) + row * (size + 8), { size, colour, align: "center", most: 1060 }));
}

/** One board in the middle, several side by side. */
function boardRows(canvas: Canvas, cards: CardPainter, boards: readonly string[][]): void {
  const width = boards.length > 2 ? 58 : boards.length > 1 ? 84 : 118;
  const gap = width * 0.1;
  const between = 44;
  const widths = boards.map((board) => board.length * (width + gap) - gap);
  let x = (WIDTH - widths.reduce((sum, one) => sum + one, between * Math.max(0, boards.length - 1))) / 2;
  const y = 288 - cardHeight(width) / 2;
  boards.forEach((board, index) => {
    board.forEach((card, place) => cards.card(canvas, card, x + place * (width + gap), y, width));
    x += (widths[index] ?? 0) + between;
  });
}

/** The hands along the lower edge, each with its name and what it won or lost. */
function handRow(canvas: Canvas, cards: CardPainter, hands: readonly Shown[], bigBlind: number, ink: string): void {
  const gap = 16;
  const room = WIDTH - 2 * RAIL - 60;
  const width = Math.min(300, (room - gap * (hands.length - 1)) / Math.max(1, hands.length));
  const height = 128;
  const y = HEIGHT - RAIL - 28 - height;
  let x = (WIDTH - hands.length * (width + gap) + gap) / 2;
  for (const hand of hands) {
    canvas.fillStyle = "rgb(10 20 16 / 55%)";
    rounded(canvas, x, y, width, height, 18);
    canvas.fill();
    if (hand.won) {
      canvas.strokeStyle = GOLD;
      canvas.lineWidth = 4;
      canvas.stroke();
    }
    panel(canvas, cards, hand, x + 12, y + 12, width - 24, bigBlind, ink);
    x += width + gap;
  }
}

function panel(canvas: Canvas, cards: CardPainter, hand: Shown, x: number, y: number, width: number, bigBlind: number, ink: string): void {
  const won = { size: 24, colour: hand.net > 0 ? "#9be0b4" : hand.net < 0 ? "#ffb4ae" : ink, align: "right" as const, weight: 700 };
  write(canvas, signed(hand.net, bigBlind), x + width, y + 22, { ...won, most: width * 0.45 });
  write(canvas, hand.name, x, y + 22, { size: 24, colour: ink, most: width * (hand.net ? 0.52 : 1) });
  const count = hand.cards.length || 2;
  const card = Math.min(50, width / 3);
  const step = count < 2 ? 0 : Math.min(card * 1.08, (width * (hand.made ? 0.62 : 1) - card) / (count - 1));
  for (let place = 0; place < count; place++) {
    const shown = hand.cards[place];
    if (shown) cards.card(canvas, shown, x + place * step, y + 36, card);
    else cards.back(canvas, x + place * step, y + 36, card);
  }
  if (!hand.made) return;
  const left = x + (count - 1) * step + card + 10;
  const room = x + width - left;
  broken(canvas, hand.made, room, `600 19px ${TEXT}`)
    .slice(0, 2)
    .forEach((line, row) => write(canvas, line, left, y + 66 + row * 23, { size: 19, weight: 500, colour: ink, most: room }));
}
