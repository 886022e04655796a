/** When an engine may look at a position: the one place that says so. */

import { get } from "../../api/http.ts";
import type { TableInfo, View } from "../../api/types.ts";
import { me } from "../../app/session.ts";
import { useEffect, useState } from "preact/hooks";
import type { ChessState, ChessView } from "./types.ts";

/** How often an open engine looks whether a game has begun in another tab. */
const CHECK_EVERY = 3000;

/** Whether a game runs at the table: then no engine looks at it, whoever watches. */
export function gameRuns(view: View): boolean {
  return view.status === "playing";
}

/** A game against another person that runs now. */
interface Running {
  code: string;
  opponent: string;
  /** Whether it is expected to be played at one sitting; otherwise only its own position is closed to the engine. */
  clocked: boolean;
  state: ChessState;
}

/** What an engine is asked about: the positions, and the moves from the start to the last of them. */
interface Line {
  start: string;
  moves: readonly string[];
  fens: readonly string[];
}

async function runningGames(): Promise<Running[]> {
  const id = me.value?.id;
  if (!id) return [];
  const tables = await get<TableInfo[]>("/me/tables");
  const views = await Promise.all(
    tables.filter((table) => table.game === "chess" && table.status === "playing").map(({ code }) => get<ChessView>(`/tables/${code}`)),
  );
  return views.flatMap((view) => {
    const opponent = view.seats.find(({ player }) => player && !player.bot && player.id !== id)?.player;
    if (!opponent || !view.you?.seats.length || !gameRuns(view)) return [];
    const { days, untimed } = view.settings;
    return [{ code: view.code, opponent: opponent.name, clocked: !days && !untimed, state: view.state }];
  });
}

/** Whether a line stands at the position of the game or goes through it. */
function looksAt({ start, moves, fens }: Line, { state }: Running): boolean {
  // Where pieces stand and whose move it is; counters and rights differ between ways to the same position.
  const place = (text: string) => text.split(" ").slice(0, 2).join(" ");
  const now = place(state.fen);
  if (fens.some((fen) => place(fen) === now)) return true;
  return state.moves.length > 0 && place(start) === place(state.start_fen) && state.moves.every((move, index) => moves[index] === move);
}

/** The game that forbids the engine: null where it may run, undefined until known. */
export type Block = Pick<Running, "code" | "opponent"> | null | undefined;

const UNKNOWN = { code: "", opponent: "" };

/** What forbids the engine now. It is asked again and again, as a game may begin elsewhere. */
export function useBlock(line: Line): Block {
  const [games, setGames] = useState<Running[] | "unknown" | undefined>();
  useEffect(() => {
    let stopped = false;
    let timer = 0;
    const check = () =>
      void runningGames()
        .then(
          (running) => !stopped && setGames(running),
          () => !stopped && setGames("unknown"),
        )
        .finally(() => {
          if (!stopped) timer = setTimeout(check, CHECK_EVERY);
        });
    check();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [me.value?.id]);
  if (!games) return undefined;
  return games === "unknown" ? UNKNOWN : (games.find((game) => game.clocked || looksAt(line, game)) ?? null);
}
