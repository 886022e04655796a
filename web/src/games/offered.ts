import { signal } from "@preact/signals";
import { get } from "../api/http.ts";
import type { GameInfo } from "../api/types.ts";

/** The games that the server offers, with their settings and actions; undefined until they have been asked for. */
export const offered = signal<readonly GameInfo[] | undefined>(undefined);
let asked: Promise<readonly GameInfo[]> | undefined;

/** Asks the server once for its games. */
export function loadOffered(): Promise<readonly GameInfo[]> {
  asked ??= get<GameInfo[]>("/games").then(
    (games) => (offered.value = games),
    (error: unknown) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
}

export function offeredGame(name: string): GameInfo | undefined {
  return offered.value?.find((game) => game.name === name);
}
