import { useEffect, useState } from "preact/hooks";

/** Something fetched for a component; undefined until it is there, and null where it could not be had. */
export function useLoaded<T>(load: () => Promise<T>, on: unknown[]): T | null | undefined {
  const [value, setValue] = useState<T | null | undefined>(undefined);
  useEffect(() => {
    let stale = false;
    load().then(
      (loaded) => !stale && setValue(loaded),
      () => !stale && setValue(null),
    );
    return () => {
      stale = true;
    };
  }, on);
  return value;
}
