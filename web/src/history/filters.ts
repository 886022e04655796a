/** What a list of rounds is narrowed down to. The address of the page has it, so that it can be kept and sent. */

export const FILTERS = ["game", "variant", "table", "with", "result", "pot", "showdown", "from", "to"] as const;
export type Filter = (typeof FILTERS)[number];
export type Filters = Readonly<Partial<Record<Filter, string>>>;

const DAY = /^\d{4}-\d\d-\d\d$/;

export function readFilters(search: string): Filters {
  const query = new URLSearchParams(search);
  const found: Partial<Record<Filter, string>> = {};
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value && (!["from", "to"].includes(name) || DAY.test(value))) found[name] = value;
  }
  return found;
}

/** The query of the page that shows this. */
export function writeFilters(filters: Filters): string {
  const query = new URLSearchParams(FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  const text = query.toString();
  return text && `?${text}`;
}

/** The query that asks the server for it: days become moments, by the clock of this device. */
export function askedFor({ from, to, ...rest }: Filters): URLSearchParams {
  const query = new URLSearchParams(Object.entries(rest).filter(([, value]) => value));
  if (from) query.set("since", String(startOf(from)));
  if (to) query.set("until", String(startOf(to, 1) - 1));
  return query;
}

function startOf(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).getTime();
}
