import type { Grace } from "../api/wire.ts";

/** A second of grace comes back in so many: as the server has it. */
const RETURNS_IN = 20;
/** One is told of it for so long after some of it was used. */
const TOLD_FOR = 60_000;

/** The seconds for which one may still take longer than the clock without a connection; null where there is nothing to tell. */
export function graceLeft(used: Grace | null | undefined, seconds: number, now: number): number | null {
  if (!used || now - used.at > TOLD_FOR) return null;
  return Math.min(seconds, Math.floor((used.left + Math.max(0, now - used.at) / RETURNS_IN) / 1000));
}
