import { useEffect, useRef } from "preact/hooks";
import { play } from "../../ui/sound.ts";
import type { ChessState } from "./types.ts";
import { soundOf } from "./facts.ts";

/** Sounds every move that comes while one looks, and the end. What was played before is silent. */
export function useSounds({ game, san, result }: ChessState): void {
  const heard = useRef({ game, moves: san.length, over: result !== null });
  useEffect(() => {
    const before = heard.current;
    heard.current = { game, moves: san.length, over: result !== null };
    if (result && !before.over && before.game === game) return void play("end");
    const last = san.at(-1);
    if (last && before.game === game && san.length > before.moves) void play(soundOf(last));
  }, [game, san.length, result !== null]);
}
