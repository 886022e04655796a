import { pilesOf, type Value } from "./piles.ts";
import "../styles/chips.css";

/** Body and marks, in the colours that card rooms use. */
const COLOURS: Record<Value, readonly [body: string, mark: string]> = {
  1: ["#f1ede3", "#5b6b8a"],
  5: ["#c93a34", "#fbeee6"],
  25: ["#1f8a55", "#eef7ee"],
  100: ["#23272e", "#e9e4d8"],
  500: ["#6d4bb5", "#f1eaff"],
  1000: ["#e9b632", "#3a2a08"],
  5000: ["#d9692b", "#fff1e2"],
  25000: ["#2f9ac4", "#e9f7ff"],
  100000: ["#c74a86", "#fff0f7"],
  500000: ["#7a4a2b", "#f6e7d6"],
  1000000: ["#b9c2cc", "#26303a"],
  5000000: ["#2a4fb0", "#f7d774"],
  25000000: ["#0f6b6b", "#f7d774"],
  100000000: ["#7d1f2c", "#f7d774"],
};

const RX = 20;
const RY = 10.5;
const THICK = 6.5;
const STEP = 2 * RX + 3;
/** How far a pile stands beside the one behind it, where there is no room for two. */
const CLOSE = 1.2 * RX;

/** The edge of a chip from the left round the front to the right, and the marks upon it, for chips turned this way and that. */
const EDGE = `M${-RX} 0v${THICK}A${RX} ${RY} 0 0 0 ${RX} ${THICK}V0Z`;
const angles = (degrees: number) => [RX * Math.cos((degrees * Math.PI) / 180), RY * Math.sin((degrees * Math.PI) / 180)] as const;
const mark = (from: number, to: number) => {
  const [x1, y1] = angles(from);
  const [x2, y2] = angles(to);
  return `M${x1.toFixed(1)} ${y1.toFixed(1)}v${THICK}L${x2.toFixed(1)} ${(y2 + THICK).toFixed(1)}v${-THICK}Z`;
};
const MARKS = [
  [12, 57, 105, 150],
  [32, 80, 127],
  [2, 45, 92, 138],
].map((turn) => turn.map((at) => mark(at, at + 19)).join(""));
/** The marks of the upper side: wedges of the rim. */
const RIM = [12, 57, 105, 150, 195, 240, 285, 330]
  .map((at) => {
    const [x1, y1] = angles(at);
    const [x2, y2] = angles(at + 19);
    return `M${x1.toFixed(1)} ${y1.toFixed(1)}A${RX} ${RY} 0 0 1 ${x2.toFixed(1)} ${y2.toFixed(1)}L${(x2 * 0.72).toFixed(1)} ${(y2 * 0.72).toFixed(1)} ${(x1 * 0.72).toFixed(1)} ${(y1 * 0.72).toFixed(1)}Z`;
  })
  .join("");

interface Props {
  amount: number;
  mostPiles?: number;
  mostInAPile?: number;
  /** Whether the piles stand half before each other. */
  close?: boolean;
}

/** An amount as piles of chips; the figure beside it is for whoever places it. */
export function Chips({ amount, mostPiles, mostInAPile, close }: Props) {
  const { piles } = pilesOf(amount, mostPiles, mostInAPile);
  const tallest = Math.max(1, ...piles.map((pile) => pile.length));
  const step = close ? CLOSE : STEP;
  const width = STEP + 1 + step * Math.max(0, piles.length - 1);
  const height = 2 * RY + THICK * tallest + 4;
  return (
    <svg class="chips" viewBox={`0 0 ${width} ${height}`} style={{ "--wide": width / STEP, "--tall": height / STEP }} aria-hidden="true">
      {piles.map((pile, at) => (
        <Pile key={at} pile={pile} x={step * at + RX + 2} floor={height - RY - 3} />
      ))}
    </svg>
  );
}

function Pile({ pile, x, floor }: { pile: readonly Value[]; x: number; floor: number }) {
  const top = pile.at(-1);
  if (!top) return null;
  return (
    <g transform={`translate(${x} ${floor})`}>
      <ellipse class="chip-shadow" cx="1.5" cy="1.5" rx={RX + 0.5} ry={RY + 1} />
      {pile.map((value, at) => (
        <g key={at} transform={`translate(${[0, 0.7, -0.6, 0.3, -0.8, 0.5][at % 6]} ${-THICK * (at + 1)})`}>
          <path d={EDGE} fill={COLOURS[value][0]} />
          <path d={MARKS[(pile.length - 1 - at) % MARKS.length]} fill={COLOURS[value][1]} />
          <path class="chip-side" d={EDGE} />
          {at === pile.length - 1 && (
            <>
              <ellipse rx={RX} ry={RY} fill={COLOURS[value][0]} />
              <path d={RIM} fill={COLOURS[value][1]} />
              <ellipse class="chip-ring" rx={RX * 0.62} ry={RY * 0.62} fill={COLOURS[value][0]} stroke={COLOURS[value][1]} />
              <ellipse class="chip-light" rx={RX - 0.4} ry={RY - 0.4} />
            </>
          )}
        </g>
      ))}
    </g>
  );
}

/** The dealer's button. */
export function DealerDisc() {
  return (
    <svg class="dealer-disc" viewBox="0 0 40 40" aria-hidden="true">
      <circle class="chip-shadow" cx="20.5" cy="22" r="18" />
      <circle cx="20" cy="21" r="18" fill="#b3aa99" />
      <circle cx="20" cy="19.3" r="18" fill="#fffdf6" />
      <circle cx="20" cy="19.3" r="14.5" fill="none" stroke="#c9a14a" stroke-width="1.3" />
      <path fill="#2b2622" d="M14.5 11.5h5.7c5 0 8.1 2.9 8.1 7.8s-3.1 7.8-8.1 7.8h-5.7v-1.6l1.7-.4V13.5l-1.7-.4Zm5.2 2v11.6h.6c2.9 0 4.4-2 4.4-5.8s-1.5-5.8-4.4-5.8Z" />
    </svg>
  );
}
