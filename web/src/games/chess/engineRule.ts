/** When an engine may look at a position: the one place that says so. */

import { get } from "../../api/http.ts";
import type { TableInfo, View } from "../../api/types.ts";
import { me } from "../../app/session.ts";
import { useEffect, useState } from "preact/hooks";

/** How often an open engine looks whether a game has begun in another tab. */
const CHECK_EVERY = 3000;

/** Whether a game runs at the table: then no engine looks at it, whoever watches. */
export function gameRuns(view: View): boolean {
  return view.status === "playing";
}

/** Whether the engine knows the rules: of the variants it knows only chess from another start. */
export function engineKnows(variant: string): boolean {
  return variant === "standard" || variant === "chess960";
}

/** Whether this person is in a game against another person that is expected to be played now. */
async function playsSomebody(): Promise<boolean> {
  const id = me.value?.id;
  if (!id) return false;
  const tables = await get<TableInfo[]>("/me/tables");
  for (const { code } of tables.filter((table) => table.game === "chess" && table.status === "playing" && !table.settings.days)) {
    const view = await get<View>(`/tables/${code}`);
    const people = new Set(view.seats.flatMap(({ player }) => (player && !player.bot ? [player.id] : [])));
    if (view.you?.seats.length && people.size > 1 && gameRuns(view)) return true;
  }
  return false;
}

/** Whether the engine may run: undefined until known. It is asked again and again, as a game may begin elsewhere. */
export function useEngineAllowed(): boolean | undefined {
  const [allowed, setAllowed] = useState<boolean | undefined>();
  useEffect(() => {
    let stopped = false;
    let timer = 0;
    const check = () =>
      void playsSomebody()
        .then(
          (playing) => !stopped && setAllowed(!playing),
          () => !stopped && setAllowed(false),
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
  return allowed;
}
