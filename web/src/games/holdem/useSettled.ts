import { useEffect, useState } from "preact/hooks";

/** Long enough that a tap meant for what was there before does not fall on a button that has just come. */
const SETTLE = 350;

/** Whether the buttons that `key` stands for have been there for long enough to be meant. */
export function useSettled(key: string): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), SETTLE);
    return () => clearTimeout(timer);
  }, [key]);
  return settled === key;
}
