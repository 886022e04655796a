/** The chess engine in a worker of its own, spoken to in UCI. */

import type { EngineLine, Score } from "./score.ts";

export interface Thought {
  depth: number;
  /** The best first. */
  lines: EngineLine[];
}

export interface Question {
  chess960: boolean;
  /** Where the game began, in FEN, and the moves since: the engine has to know who may castle and what repeats. */
  start: string;
  moves: readonly string[];
  /** Whether Black is to move. */
  black: boolean;
  /** How many lines are wanted. */
  lines: number;
  /** How far it looks ahead; without it as far as is worth waiting for. */
  depth?: number;
}

const DEPTH = 20;

interface Listener {
  /** Told whenever a depth is done. */
  onThought?(thought: Thought): void;
  /** Told when the engine has thought to the end; null where it found nothing. */
  onDone?(thought: Thought | null): void;
  onFail(): void;
}

export class Engine {
  private readonly worker = new Worker("/engine/stockfish.js#/engine/stockfish.wasm");
  private asked: Question | null = null;
  private next: Question | null = null;
  private lines: EngineLine[] = [];
  private thought: Thought | null = null;

  constructor(private readonly listener: Listener) {
    this.worker.onerror = () => listener.onFail();
    this.worker.onmessage = ({ data }) => {
      const text = String(data);
      // A search that was stopped still says what it found until it says 'bestmove'.
      if (text.startsWith("bestmove")) this.end();
      else if (this.asked && !this.next) this.hear(readInfo(text, this.asked.black));
    };
    this.worker.postMessage("uci");
  }

  /** Asks about a position; an older question is dropped. */
  ask(question: Question): void {
    this.next = question;
    if (this.asked) this.worker.postMessage("stop");
    else this.begin();
  }

  close(): void {
    this.worker.terminate();
  }

  private end(): void {
    const done = this.asked && !this.next ? this.thought : undefined;
    this.begin();
    if (done !== undefined) this.listener.onDone?.(done);
  }

  private begin(): void {
    this.asked = this.next;
    this.next = null;
    this.lines = [];
    this.thought = null;
    if (!this.asked) return;
    const { chess960, lines, start, moves, depth = DEPTH } = this.asked;
    this.worker.postMessage(`setoption name UCI_Chess960 value ${chess960}`);
    this.worker.postMessage(`setoption name MultiPV value ${lines}`);
    this.worker.postMessage(`position fen ${start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
    this.worker.postMessage(`go depth ${depth}`);
  }

  private hear(info: Info | null): void {
    if (!info) return;
    this.lines[info.place - 1] = { score: info.score, moves: info.moves };
    // The lines of one depth come one after another; they are told together, so that none is shown twice.
    if (info.place !== this.lines.length) return;
    this.thought = { depth: info.depth, lines: [...this.lines] };
    this.listener.onThought?.(this.thought);
  }
}

export interface Info {
  depth: number;
  place: number;
  score: Score;
  moves: string[];
}

/** A line of the UCI protocol; null where it tells nothing that is shown. */
export function readInfo(text: string, black: boolean): Info | null {
  const parts = /^info depth (\d+) .*?(?:multipv (\d+) )?score (cp|mate) (-?\d+)(?! (?:upper|lower)bound).* pv (.+)$/.exec(text);
  if (!parts) return null;
  const [, depth, place, kind, value, moves = ""] = parts;
  const score: Score = { kind: kind === "mate" ? "mate" : "cp", value: Number(value) * (black ? -1 : 1) };
  return { depth: Number(depth), place: Number(place ?? 1), score, moves: moves.split(" ") };
}
