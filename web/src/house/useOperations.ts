import { useEffect, useState } from "preact/hooks";
import type { Operations } from "../api/wire.ts";
import { ask } from "./secret.ts";

const EVERY = 3000;

/** How the server is doing, asked again while somebody looks; `lost` where the last question had no answer. */
export function useOperations(): { now: Operations | null; lost: boolean; again: () => Promise<void> } {
  const [now, setNow] = useState<Operations | null>(null);
  const [lost, setLost] = useState(false);
  const again = async () => {
    try {
      setNow(await ask<Operations>("GET"));
      setLost(false);
    } catch {
      setLost(true);
    }
  };
  useEffect(() => {
    let timer = 0;
    let done = false;
    const look = async () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") await again();
      if (!done) timer = window.setTimeout(() => void look(), EVERY);
    };
    const seen = () => document.visibilityState === "visible" && void look();
    document.addEventListener("visibilitychange", seen);
    void look();
    return () => {
      done = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, []);
  return { now, lost, again };
}
