import { useMemo } from "preact/hooks";
import { MoveTree } from "./study/MoveTree.tsx";
import type { Move } from "./study/tree.ts";

interface Props {
  san: readonly string[];
  /** Where the game began, in FEN. */
  start: string | null;
  /** How many moves have been played in the position shown. */
  ply: number;
  onPly(ply: number): void;
}

/** The moves of a game as it was played: one line, without variations. */
export function MoveList({ san, start, ply, onPly }: Props) {
  const children = useMemo(
    () => san.reduceRight<Move[]>((next, move, index) => [{ uci: String(index), san: move, fen: "", comments: [], nags: [], children: next }], []),
    [san.join()],
  );
  const at = Array.from({ length: ply }, (_, index) => String(index));
  return <MoveTree tree={{ children }} start={start} at={at} onGo={(path) => onPly(path.length)} />;
}
