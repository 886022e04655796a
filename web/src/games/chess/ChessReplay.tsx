import { useState } from "preact/hooks";
import type { PlayedRound } from "../../api/types.ts";
import { faultWords } from "./study/faults.ts";
import { treeOf, type Fault } from "./study/rules.ts";
import { Study } from "./study/Study.tsx";
import { mainLine, type Path, type Tree } from "./study/tree.ts";
import type { Colour } from "./types.ts";
import { ending } from "./words.ts";

/** A finished game on an analysis board: its moves, its result, and whatever one would like to try instead. */
export function ChessReplay({ played }: { played: PlayedRound }) {
  const [{ game, result }] = useState(() => read(played));
  const [now, setNow] = useState<{ tree: Tree; at: Path } | Fault>(() => (typeof game === "string" ? game : { tree: game, at: mainLine(game) }));
  if (typeof now === "string") return <p class="fault">{faultWords(now)}</p>;
  return <Study tree={now.tree} at={now.at} result={result} onChange={(tree, at) => setNow({ tree, at })} />;
}

function read(played: PlayedRound): { game: Tree | Fault; result: string | undefined } {
  const moves: string[] = [];
  let variant = "standard";
  let start: string | null = null;
  const headers: [string, string][] = [];
  let result: string | undefined;
  for (const event of played.events) {
    if (event.type === "game_started") {
      variant = String(event.variant);
      start = String(event.fen);
      headers.push(["White", played.names[String(event.white)] ?? "?"], ["Black", played.names[String(event.black)] ?? "?"]);
    } else if (event.type === "moved") moves.push(String(event.uci));
    else if (event.type === "taken_back") moves.splice(-Number(event.plies));
    else if (event.type === "game_ended") {
      const winner = event.winner as Colour | null | undefined;
      result = ending(winner, event.reason, { name: headers.find(([colour]) => colour.toLowerCase() === winner)?.[1] ?? "", variant });
      const score = winner ? { white: "1-0", black: "0-1" }[winner] : "1/2-1/2";
      headers.push(["Result", event.reason === "aborted" || (event.reason === "forfeit" && !winner) ? "*" : score]);
    }
  }
  return { game: treeOf(variant, start, moves, headers), result };
}
