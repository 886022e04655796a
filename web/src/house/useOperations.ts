import { useEffect, useState } from "preact/hooks";
import type { Operations } from "../api/wire.operator.ts";
import { excuse } from "../app/session.ts";
import { ask } from "./secret.ts";

const EVERY = 3000;

/** How the server is doing, asked again while somebody looks; `fault` says why the last question had no answer. */
export function useOperations(): { now: Operations | null; fault: string; again: () => Promise<void> } {
  const [now, setNow] = useState<Operations | null>(null);
  const [fault, setFault] = useState("");
  const again = async () => {
    try {
      setNow(await ask<Operations>("GET"));
      setFault("");
    } catch (error) {
      setFault(excuse(error));
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
  return { now, fault, again };
}
