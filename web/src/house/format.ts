import { current } from "../i18n/index.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function unit(value: number, name: string, digits = 0): string {
  return new Intl.NumberFormat(current.value, { style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: digits }).format(value);
}

/** A length of time in one or two units: `45 sec`, `3 hr 12 min`. */
export function span(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) return unit(Math.floor(length / 1000), "second");
  if (length < HOUR) return unit(Math.floor(length / MINUTE), "minute");
  if (length < DAY) return `${unit(Math.floor(length / HOUR), "hour")} ${unit(Math.floor((length % HOUR) / MINUTE), "minute")}`;
  return `${unit(Math.floor(length / DAY), "day")} ${unit(Math.floor((length % DAY) / HOUR), "hour")}`;
}

/** How long ago something was: `5 sec. ago`. */
export function ago(ms: number): string {
  const words = new Intl.RelativeTimeFormat(current.value, { style: "short", numeric: "auto" });
  const length = Math.max(0, ms);
  if (length < MINUTE) return words.format(-Math.floor(length / 1000), "second");
  if (length < HOUR) return words.format(-Math.floor(length / MINUTE), "minute");
  if (length < DAY) return words.format(-Math.floor(length / HOUR), "hour");
  return words.format(-Math.floor(length / DAY), "day");
}

export function bytes(value: number): string {
  if (value < 1e6) return unit(value / 1e3, "kilobyte");
  if (value < 1e9) return unit(value / 1e6, "megabyte", value < 1e7 ? 1 : 0);
  return unit(value / 1e9, "gigabyte", 1);
}

export const milliseconds = (value: number): string => unit(value, "millisecond", value < 10 ? 1 : 0);

export function percent(share: number): string {
  return new Intl.NumberFormat(current.value, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** A rate: whole numbers from ten on. */
export function rate(value: number): string {
  return new Intl.NumberFormat(current.value, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}
