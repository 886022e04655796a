import { earlyAnswer } from "./early.ts";
import type { Problem } from "./types.ts";

/** A refusal by the server, with the words it gave. `status` 0 means that no answer came. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(problem: Partial<Problem> & { status: number }) {
    super(problem.detail ?? problem.title ?? "");
    this.status = problem.status;
    this.code = problem.code ?? "";
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One call of the API: JSON in, JSON out; every failure is a `Refusal`. */
export async function call<T>(method: Method, path: string, body?: unknown, headers: HeadersInit = {}): Promise<T> {
  const init: RequestInit = { method, headers: { Accept: "application/json", ...headers }, credentials: "same-origin" };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...init.headers, "Content-Type": "application/json" };
  }
  let answer: Response;
  try {
    answer = await (earlyAnswer(method, path) ?? fetch(`/api/v1${path}`, init));
  } catch {
    throw new Refusal({ status: 0, code: "offline" });
  }
  const text = await answer.text();
  const type = answer.headers.get("Content-Type") ?? "";
  const data: unknown = text && type.includes("json") && !type.includes("ndjson") ? JSON.parse(text) : text;
  if (!answer.ok) throw new Refusal({ ...(typeof data === "object" ? data : null), status: answer.status });
  return data as T;
}

export const get = <T>(path: string): Promise<T> => call("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call("POST", path, body);

/** A key under which the server remembers the answer, so that a repeat does nothing twice. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
