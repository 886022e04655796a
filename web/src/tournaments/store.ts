import { signal } from "@preact/signals";
import { Refusal, call, freshKey, get } from "../api/http.ts";
import type { Json, WireEvent } from "../api/types.ts";
import { attempt } from "../app/session.ts";
import type { TournamentView } from "./types.ts";

/** In a tab that nobody looks at a tournament is asked for so often; it must still take its player to the table. */
const HIDDEN = 4000;
const BACKOFF = [500, 1000, 2000, 4000, 8000];
/** A view of so many entries takes twice as long to make and to read as an empty one. */
const MANY = 100;

/** How long to wait for further events of the same moment. */
const SOON = 120;
/** Events that change what everybody looks at. */
const PROMPT = new Set(["began", "seats_given", "tables_named", "round_paired", "level_began", "break_began", "halted", "went_on", "hand_for_hand", "deal_proposed", "deal_opened", "deal_agreed", "deal_dropped", "finished"]);

/**
 * One tournament, followed for as long as a page shows it. The server tells what happens in a stream of events; the view after
 * them is fetched when the first of them is `pace` milliseconds old, so that many events cost one view.
 */
export class TournamentStore {
  readonly view = signal<TournamentView | null>(null);
  readonly missing = signal(false);
  readonly offline = signal(false);
  readonly code: string;
  /** When the view came, by this device's clock: what was left on the tournament's clock is counted from here. */
  readonly seen = signal(0);
  private readonly pace: number;
  private stream: AbortController | null = null;
  private timer = 0;
  private failures = 0;
  private closed = false;
  private loading: Promise<void> | null = null;

  constructor(code: string, pace = 800) {
    this.code = code;
    this.pace = pace;
    document.addEventListener("visibilitychange", this.look);
    addEventListener("online", this.look);
    void this.load();
  }

  close(): void {
    this.closed = true;
    document.removeEventListener("visibilitychange", this.look);
    removeEventListener("online", this.look);
    this.hangUp();
  }

  /** Asks for the tournament now: something has happened that this page knows of. */
  async refresh(): Promise<void> {
    await this.loading;
    await this.load();
  }

  /** Asks the tournament for something; false where it was refused, which the person is told. */
  async ask(method: "POST" | "DELETE", path: string, body?: Record<string, Json>): Promise<boolean> {
    const key = freshKey();
    const done = await attempt(() => call(method, `/tournaments/${this.code}${path}`, body, { "Idempotency-Key": key }));
    await this.refresh();
    return done !== undefined;
  }

  host(power: string, args: Record<string, Json> = {}): Promise<boolean> {
    return this.ask("POST", `/host/${power}`, args);
  }

  private load(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = 0;
    this.loading ??= this.fetchView().finally(() => (this.loading = null));
    return this.loading;
  }

  private async fetchView(): Promise<void> {
    try {
      const view = await get<TournamentView>(`/tournaments/${this.code}`);
      if (this.closed || view.seq < (this.view.peek()?.seq ?? 0)) return;
      this.seen.value = Date.now();
      this.view.value = view;
      this.failures = 0;
      this.offline.value = false;
      if (view.status === "finished") this.hangUp();
      else if (document.hidden) this.later(HIDDEN);
      else if (!this.stream) void this.listen(view.seq);
    } catch (error) {
      if (this.closed) return;
      if (error instanceof Refusal && error.status === 404) {
        this.missing.value = true;
        return this.close();
      }
      this.offline.value = true;
      this.again();
    }
  }

  /** Reads events as they come, until the stream ends or nobody looks any more. */
  private async listen(since: number): Promise<void> {
    const stream = (this.stream = new AbortController());
    try {
      const answer = await fetch(`/api/v1/tournaments/${this.code}/events?since=${since}&follow=1`, { signal: stream.signal, credentials: "same-origin" });
      if (!answer.ok || !answer.body) throw new Error(answer.statusText);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (rest + part.value).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.trim()) this.heard(JSON.parse(line) as WireEvent);
      }
    } catch {
      // It broke off: below it is begun again, after a whole view.
    }
    if (this.stream !== stream) return;
    this.stream = null;
    this.again();
  }

  private heard(event: WireEvent): void {
    const view = this.view.peek();
    if (!view || event.seq <= view.seq) return;
    if (event.entry !== undefined && event.entry === view.you?.entry) return this.later(SOON);
    const crowd = 1 + view.entries.length / MANY;
    // What all wait for comes soon; in a large field people ask one after another, and for the rest more rarely.
    this.later(PROMPT.has(event.type) ? SOON * (1 + 4 * (crowd - 1) * Math.random()) : this.pace * crowd * (0.75 + Math.random() / 2));
  }

  private due = 0;

  private later(wait: number): void {
    const at = Date.now() + wait;
    if (this.timer && this.due <= at) return;
    clearTimeout(this.timer);
    this.due = at;
    this.timer = setTimeout(() => void this.load(), wait);
  }

  private again(): void {
    if (this.closed) return;
    this.later((BACKOFF[Math.min(this.failures++, BACKOFF.length - 1)] ?? 8000) * (0.75 + Math.random() / 2));
  }

  private hangUp(): void {
    const stream = this.stream;
    this.stream = null;
    clearTimeout(this.timer);
    this.timer = 0;
    stream?.abort();
  }

  /** A browser has few connections for one server: a tab that nobody looks at keeps none. */
  private look = (): void => {
    if (document.hidden) this.hangUp();
    if (this.view.peek()?.status !== "finished") void this.load();
  };
}
