import { get } from "../api/http.ts";
import type { View } from "../api/types.ts";
import { go } from "../app/router.ts";

const LOOKS = 50;
const PAUSE = 100;

/** Goes to one's own table as soon as one sits there: the tournament names a table a moment before it is made. */
export async function openOwn(code: string): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const view = await get<View>(`/tables/${code}`).catch(() => null);
    if (view?.you?.seats.length) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  go(`/t/${code}`);
}
