import { call, freshKey, get, post } from "../api/http.ts";
import { go } from "../app/router.ts";
import { me } from "../app/session.ts";
import { loadWords, t } from "../i18n/index.ts";
import { openOwn } from "./own.ts";
import type { TournamentView } from "./types.ts";

const SEATS = 9;
/** How often, and every how many milliseconds, the new tournament is asked for one's seat. */
const LOOKS = 40;
const PAUSE = 150;

/** Announces a sit-and-go, enters it and fills it with house players: it starts, and its table is shown. */
export async function playSitAndGo(game: string, style: string): Promise<void> {
  await loadWords("tournaments");
  const settings = { private: true, entries_max: SEATS, seats: SEATS, level_by: "hands", action_seconds: 60, time_bank: 120 };
  const name = t("tour.name.house", { name: me.value?.name ?? "" }).slice(0, 60);
  const { code } = await post<{ code: string }>("/tournaments", { game, format: "sitngo", name, settings });
  const send = (path: string, body: object = {}) => call("POST", `/tournaments/${code}${path}`, body, { "Idempotency-Key": freshKey() });
  await send("/entries");
  await send("/host/add_bot", { style, count: SEATS - 1 });
  for (let look = 0; look < LOOKS; look++) {
    const { table } = await get<TournamentView>(`/tournaments/${code}`);
    if (table) return openOwn(table);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  go(`/tournament/${code}`);
}
