/**
 * What an engine's scores say about a game: how well each side played and where it turned.
 *
 * The model is that of lichess. A score in hundredths of a pawn becomes White's expected share of the points, in percent
 * (`winPercent`); a move is judged by how many points of it the mover gave away.
 */

import type { Colour } from "../types.ts";
import type { Score } from "./score.ts";
import { mainLine, moveAt, type Move, type Path, type Tree } from "./tree.ts";

/** The score of a position, and the line that the engine would have played, in UCI. */
export interface Assessed {
  score: Score;
  best: readonly string[];
}

export type Judgement = "inaccuracy" | "mistake" | "blunder";

/** From how many points of the win percentage on a move has that name. */
const JUDGEMENTS: readonly (readonly [Judgement, number])[] = [
  ["blunder", 15],
  ["mistake", 10],
  ["inaccuracy", 5],
];

export const NAG_OF: Readonly<Record<Judgement, number>> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** A move after which the game stood clearly worse for whoever made it. */
export interface Turn {
  /** How many moves have been made, this one included. */
  ply: number;
  colour: Colour;
  judgement: Judgement;
  /** What the engine would have played instead, in UCI. */
  best: readonly string[];
}

export interface Side {
  /** 0 to 100; null for a side that has not moved. */
  accuracy: number | null;
  inaccuracy: number;
  mistake: number;
  blunder: number;
}

export interface Report {
  /** White's win percentage at the start and after each move. */
  percents: readonly number[];
  scores: readonly Score[];
  turns: readonly Turn[];
  white: Side;
  black: Side;
}

/** White's expected share of the points, 0 to 100. A mate that is found is the whole of them. */
export function winPercent({ kind, value }: Score): number {
  if (kind === "mate") return value > 0 ? 100 : 0;
  const pawns = Math.max(-1000, Math.min(1000, value));
  return 100 / (1 + Math.exp(-0.00368208 * pawns));
}

/** How accurate a move was, 0 to 100, by the win percentages of the mover before it and after it. */
export function moveAccuracy(before: number, after: number): number {
  if (after >= before) return 100;
  const accuracy = 103.1668 * Math.exp(-0.04354 * (before - after)) - 3.1669;
  // The engine may be wrong by a little, and a player is not blamed for that.
  return Math.max(0, Math.min(100, accuracy + 1));
}

export function judge(before: number, after: number): Judgement | null {
  return JUDGEMENTS.find(([, points]) => before - after >= points)?.[0] ?? null;
}

/** The report of a game from the scores of its positions, that at the start first. */
export function reportOf(assessed: readonly Assessed[], first: Colour): Report {
  const percents = assessed.map(({ score }) => winPercent(score));
  const weights = weightsOf(percents);
  const moves = percents.slice(1).map((after, index) => {
    const colour: Colour = (index % 2 === 0) === (first === "white") ? "white" : "black";
    const own = (percent: number) => (colour === "white" ? percent : 100 - percent);
    const before = own(percents[index] ?? 50);
    return { ply: index + 1, colour, accuracy: moveAccuracy(before, own(after)), weight: weights[index] ?? 1, judgement: judge(before, own(after)), best: assessed[index]?.best ?? [] };
  });
  const turns = moves.flatMap(({ ply, colour, judgement, best }) => (judgement ? [{ ply, colour, judgement, best }] : []));
  const side = (colour: Colour): Side => {
    const count = (judgement: Judgement) => turns.filter((turn) => turn.colour === colour && turn.judgement === judgement).length;
    return { accuracy: accuracyOf(moves.filter((move) => move.colour === colour)), inaccuracy: count("inaccuracy"), mistake: count("mistake"), blunder: count("blunder") };
  };
  return { percents, scores: assessed.map(({ score }) => score), turns, white: side("white"), black: side("black") };
}

/**
 * How much each move counts: moves while the game swings count more than moves when all is decided. It is the standard deviation of
 * the win percentages around the move, from 0.5 to 12.
 */
function weightsOf(percents: readonly number[]): number[] {
  const moves = percents.length - 1;
  const width = Math.max(2, Math.min(8, Math.floor(moves / 10)));
  return Array.from({ length: moves }, (_, index) => {
    // The window ends at the move; at the beginning of the game it is the first one.
    const start = Math.max(0, index + 2 - width);
    return Math.max(0.5, Math.min(12, deviation(percents.slice(start, start + width))));
  });
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** The accuracy of a side: half the weighted mean of its moves, half their harmonic mean, in which a bad move weighs heavily. */
function accuracyOf(moves: readonly { accuracy: number; weight: number }[]): number | null {
  if (!moves.length) return null;
  const weighted = moves.reduce((sum, { accuracy, weight }) => sum + accuracy * weight, 0) / moves.reduce((sum, { weight }) => sum + weight, 0);
  const harmonic = moves.length / moves.reduce((sum, { accuracy }) => sum + 1 / Math.max(accuracy, 1), 0);
  return (weighted + harmonic) / 2;
}

/** How many moves of a better line are written down. */
const LINE = 8;

/**
 * The tree with the report written into its main line: signs and scores behind the moves, and better lines as variations.
 * `played` gives the moves of a line, in UCI, as far as they are legal in a position.
 */
export function annotated(tree: Tree, report: Report, played: (fen: string, line: readonly string[]) => Move[]): Tree {
  const line = mainLine(tree);
  const turns = new Map(report.turns.map((turn) => [turn.ply, turn]));
  let children: readonly Move[] = moveAt(tree, line)?.children ?? [];
  for (let ply = line.length; ply > 0; ply--) {
    const at: Path = line.slice(0, ply - 1);
    const rivals = (at.length ? moveAt(tree, at)?.children : tree.children) ?? [];
    const turn = turns.get(ply);
    const better = turn ? chain(played(moveAt(tree, at)?.fen ?? tree.start, turn.best.slice(0, LINE))) : undefined;
    const below = children;
    const [main, ...others] = rivals;
    if (!main) return tree;
    const marked = { ...main, ...marks(main, report.scores[ply], turn?.judgement), children: below };
    const fresh = better && !rivals.some((move) => move.uci === better.uci) ? [better] : [];
    children = [marked, ...others, ...fresh];
  }
  return { ...tree, children };
}

function marks({ comments, nags }: Move, score: Score | undefined, judgement: Judgement | undefined): Pick<Move, "comments" | "nags"> {
  const said = comments.filter((comment) => !comment.startsWith("[%eval"));
  const evaluation = score ? [`[%eval ${score.kind === "mate" ? `#${score.value}` : (score.value / 100).toFixed(2)}]`] : [];
  return { comments: [...evaluation, ...said], nags: judgement ? [NAG_OF[judgement], ...nags.filter((nag) => nag > 6)] : nags };
}

/** Moves, each the only child of the one before. */
function chain(moves: readonly Move[]): Move | undefined {
  return moves.reduceRight<Move | undefined>((rest, move) => ({ ...move, children: rest ? [rest] : [] }), undefined);
}
