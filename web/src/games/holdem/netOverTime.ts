import { get } from "../../api/http.ts";
import type { PlayedRound, RoundRecord, TableInfo } from "../../api/types.ts";

/** Enough for an evening, few enough to fetch one by one. */
const HANDS = 80;

/** What a player won or lost in one hand; null where they sat there without being dealt in. */
export function netOf(played: PlayedRound, player: string): number | null {
  const seat = Number(Object.entries(played.players).find(([, id]) => id === player)?.[0] ?? -1);
  const start = played.events.find((event) => event.type === "hand_started");
  if (!start || !(String(seat) in (start.stacks as Record<string, number>))) return null;
  let net = 0;
  for (const event of played.events) {
    if (event.type === "hand_ended") net += (event.payouts as Record<string, number>)[String(seat)] ?? 0;
    if (event.seat !== seat) continue;
    if (event.type === "posted" || event.type === "acted") net -= Number(event.amount ?? 0);
    if (event.type === "returned") net += Number(event.amount ?? 0);
  }
  return net;
}

/** The sum after each of the last hands, oldest first. */
export async function netOverTime(player: string): Promise<number[]> {
  const tables = (await get<TableInfo[]>("/me/tables")).filter((table) => table.game === "holdem");
  const rounds: { code: string; record: RoundRecord }[] = [];
  for (const { code } of tables) {
    const records = await get<RoundRecord[]>(`/tables/${code}/history?limit=${HANDS}`);
    rounds.push(...records.filter((record) => Object.values(record.players).includes(player)).map((record) => ({ code, record })));
  }
  rounds.sort((a, b) => a.record.ended - b.record.ended);
  let sum = 0;
  const sums = [0];
  for (const { code, record } of rounds.slice(-HANDS)) {
    const net = netOf(await get<PlayedRound>(`/tables/${code}/history/${record.number}`), player);
    if (net !== null) sums.push((sum += net));
  }
  return sums;
}
