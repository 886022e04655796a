import { signal } from "@preact/signals";
import { Refusal, call } from "../api/http.ts";

const HEADER = "X-Parlour-Operator";
const PLACE = "parlour.operator";

/**
 * The operator's secret, kept for this tab and gone when it is closed. A tab that this one opens by script gets a copy of
 * its own, as the browser copies `sessionStorage`; no page of ours opens one, and a tab opened by hand starts without it.
 */
export const secret = signal<string | null>(sessionStorage.getItem(PLACE));

export function unlock(shown: string): void {
  sessionStorage.setItem(PLACE, shown);
  secret.value = shown;
}

export function lock(): void {
  sessionStorage.removeItem(PLACE);
  secret.value = null;
}

const headers = (shown = secret.value): Record<string, string> => (shown === null ? {} : { [HEADER]: encodable(shown) });

/** What cannot stand in a header is no secret either; it is refused as another wrong one is. */
function encodable(shown: string): string {
  return shown.replace(/[^\x21-\x7e]/g, "?");
}

/** Asks the server as its operator. A secret that is refused is forgotten. */
export async function ask<T>(method: "GET" | "DELETE", path = "", shown?: string): Promise<T> {
  try {
    return await call<T>(method, `/operator${path}`, undefined, headers(shown));
  } catch (error) {
    if (error instanceof Refusal && error.code === "operator_only" && shown === undefined) lock();
    throw error;
  }
}

/** A file of the operator's, with the name that the server gives it. */
export async function download(path: string): Promise<{ name: string; blob: Blob }> {
  let answer: Response;
  try {
    answer = await fetch(`/api/v1/operator${path}`, { headers: headers(), credentials: "same-origin" });
    if (answer.ok) {
      const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
      return { name: name ?? "parlour.db", blob: await answer.blob() };
    }
  } catch {
    throw new Refusal({ status: 0, code: "offline" });
  }
  throw new Refusal({ ...((await answer.json().catch(() => null)) as object | null), status: answer.status });
}
