import { signal } from "@preact/signals";
import { post } from "../api/http.ts";
import type { Settings, TableInfo } from "../api/types.ts";
import { go } from "../app/router.ts";
import { attempt, someone } from "../app/session.ts";
import { gameOf } from "../games/index.ts";

/** Whether a table is being opened here: the lobby stays as it is until the table is shown. */
export const opening = signal(false);

async function leave(work: () => Promise<void>): Promise<void> {
  opening.value = true;
  await attempt(work).finally(() => (opening.value = false));
}

/** Opens a table and goes there, to a seat where the game says so. */
export async function openTable(game: string, settings: Settings): Promise<void> {
  await leave(async () => {
    if (!(await someone())) return;
    const table = await post<TableInfo>("/tables", { game, settings });
    if (gameOf(game).seatsOpener) await takeSeats(table.code, settings);
    go(`/t/${table.code}`);
  });
}

async function takeSeats(code: string, { same_screen, autostart }: Settings): Promise<void> {
  await post(`/tables/${code}/seats`);
  if (!same_screen) return;
  await post(`/tables/${code}/seats`);
  if (!autostart) await post(`/tables/${code}/start`);
}

/** A tournament of one table against house players: one tap from the lobby to the first hand. */
export async function sitAndGo(game: string, style: string): Promise<void> {
  await leave(async () => {
    if (await someone()) await (await import("../tournaments/house.ts")).playSitAndGo(game, style);
  });
}

/** Opens a table with house players, sits down and starts: one tap from the lobby to the first hand. */
export async function playTheHouse(game: string, style: string, settings?: Settings): Promise<void> {
  const { house } = gameOf(game);
  if (!house) return;
  await leave(async () => {
    if (!(await someone())) return;
    const { code } = await post<TableInfo>("/tables", { game, settings: settings ?? house.settings });
    await post(`/tables/${code}/seats`);
    go(`/t/${code}`);
    for (let bot = 0; bot < house.bots; bot++) await post(`/tables/${code}/host/add_bot`, { style });
    await post(`/tables/${code}/start`);
  });
}
