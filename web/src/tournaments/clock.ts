import type { Break, ClockView, Level, TournamentView } from "./types.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** '12:05', '1:02:05'. */
export function clockText(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / SECOND));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** What is left on a clock that was read at `seen`; null where no time is counted. */
export function timeLeft(clock: ClockView, seen: number, now: number): number | null {
  if (clock.remaining === null) return null;
  return Math.max(0, clock.running ? clock.remaining - (now - seen) : clock.remaining);
}

export const levelsOf = ({ settings }: Pick<TournamentView, "settings">): readonly Level[] => (Array.isArray(settings.levels) ? (settings.levels as unknown as Level[]) : []);

export const breaksOf = ({ settings }: Pick<TournamentView, "settings">): readonly Break[] => (Array.isArray(settings.breaks) ? (settings.breaks as unknown as Break[]) : []);

/** How long it is to the next break from the end of this level on; null where none comes, or levels are counted in hands. */
export function toNextBreak(view: Pick<TournamentView, "settings" | "level">, left: number): number | null {
  const { level, settings } = view;
  if (!level || settings.level_by === "hands") return null;
  const next = Math.min(...breaksOf(view).map(([after]) => after).filter((after) => after >= level.number));
  if (!Number.isFinite(next)) return null;
  const between = levelsOf(view).slice(level.number, next);
  return left + between.reduce((sum, [minutes]) => sum + minutes * MINUTE, 0);
}
