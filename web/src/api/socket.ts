import { earlySocket } from "./early.ts";
import { Refusal, freshKey } from "./http.ts";
import type { Problem, View, WireEvent } from "./types.ts";

export type Link = "connecting" | "open" | "offline" | "refused";

export interface Command {
  type: "action" | "sit" | "wait" | "withdraw" | "leave" | "start" | "chat" | "host";
  turn?: number;
  [field: string]: unknown;
}

export interface SocketHooks {
  /** Where the client stands: what it knows, and is told of anew after a gap. */
  position(): { epoch: string; seq: number; turn: number } | null;
  /** A whole view, with the events that led to it (none for a fresh snapshot). */
  update(view: View, events: WireEvent[], fresh: boolean): void;
  presence(view: View): void;
  link(state: Link, problem?: Problem): void;
}

interface Pending {
  frame: Command & { id: string };
  sent: boolean;
  resolve(seq: number): void;
  reject(reason: Refusal): void;
}

interface ServerFrame {
  type: "welcome" | "events" | "ack" | "error" | "presence" | "pong";
  id?: string;
  seq?: number;
  resumed?: boolean;
  events?: WireEvent[];
  view?: View;
  /** The members of the view that changed. */
  patch?: Partial<View>;
  problem?: Problem;
  seat?: number;
  connected?: boolean;
}

/** So long after the last word of the server it is asked whether it is there: sooner by somebody whose clock may run. */
const PING_AFTER = 15_000;
const PING_AFTER_SEATED = 5_000;
/** How long the answer may take: longer than a slow phone's round trip. Both together are under the server's idle limit. */
const ANSWER_LIMIT = 6_000;
/** How long a connection may take until the server's first word. */
const CONNECT_LIMIT = 10_000;
const BACKOFF = [250, 500, 1000, 2000, 4000, 8000];

/** The wire of one table: resumes where it was, drops what is old, asks again after a gap. */
export class TableSocket {
  private socket: WebSocket | null = null;
  /** The table as this connection has told it so far. */
  private view: View | null = null;
  private pending = new Map<string, Pending>();
  private failures = 0;
  private welcomed = false;
  private closed = false;
  private retry = 0;
  private heartbeat = 0;
  private silence = 0;
  private readonly code: string;
  private readonly hooks: SocketHooks;

  constructor(code: string, hooks: SocketHooks) {
    this.code = code;
    this.hooks = hooks;
    addEventListener("online", this.wake);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  close(): void {
    this.closed = true;
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.wake);
    this.hangUp();
    clearTimeout(this.retry);
  }

  /** Connects anew, as after the caller has become somebody else. */
  reconnect(): void {
    this.hangUp();
    this.hooks.link("connecting");
    this.failures = 0;
    this.connect();
  }

  /** Resolves with the sequence number once the server has committed the command. */
  send(command: Command): Promise<number> {
    return new Promise((resolve, reject) => {
      const frame = { ...command, id: freshKey() };
      const pending: Pending = { frame, sent: false, resolve, reject };
      this.pending.set(frame.id, pending);
      if (this.welcomed) this.transmit(pending);
    });
  }

  private transmit(pending: Pending): void {
    pending.sent = true;
    this.socket?.send(JSON.stringify(pending.frame));
  }

  private connect(): void {
    if (this.closed || this.socket) return;
    clearTimeout(this.retry);
    const at = this.hooks.position();
    const query = at ? `?epoch=${encodeURIComponent(at.epoch)}&since=${at.seq}` : "";
    const address = `${location.origin.replace("http", "ws")}/api/v1/tables/${this.code}/socket${query}`;
    const early = earlySocket(address);
    const socket = early?.socket ?? new WebSocket(address);
    this.socket = socket;
    socket.onmessage = (message) => socket === this.socket && this.receive(JSON.parse(message.data as string));
    socket.onclose = () => socket === this.socket && this.lost();
    this.expectSoon(socket.readyState > WebSocket.OPEN ? 0 : CONNECT_LIMIT);
    for (const message of early?.heard ?? []) this.receive(JSON.parse(message.data));
  }

  private receive(frame: ServerFrame): void {
    clearTimeout(this.silence);
    switch (frame.type) {
      case "welcome":
        this.welcomed = true;
        this.failures = 0;
        if (frame.view) this.update(frame.view, this.news(frame.events ?? []), !frame.resumed);
        this.hooks.link("open");
        this.flush();
        break;
      case "events": {
        const at = this.hooks.position();
        const events = this.news(frame.events ?? []);
        const first = events[0];
        if (at && first && first.seq > at.seq + 1) return this.reconnect();
        const view = this.view && { ...this.view, ...frame.patch };
        if (view && (!at || view.seq >= at.seq)) this.update(view, events, false);
        break;
      }
      case "ack":
        this.settle(frame.id)?.resolve(frame.seq ?? 0);
        break;
      case "error":
        this.settle(frame.id)?.reject(new Refusal(frame.problem ?? { title: "", status: 500 }));
        break;
      case "presence":
        if (!this.view) break;
        this.view = { ...this.view, seats: this.view.seats.map((one) => (one.seat === frame.seat ? { ...one, connected: frame.connected ?? false } : one)) };
        this.hooks.presence(this.view);
    }
    clearTimeout(this.heartbeat);
    const seated = this.view?.you?.seats.length;
    if (this.welcomed) this.heartbeat = setTimeout(this.ping, seated ? PING_AFTER_SEATED : PING_AFTER);
  }

  private update(view: View, events: WireEvent[], fresh: boolean): void {
    this.view = view;
    this.hooks.update(view, events, fresh);
  }

  private news(events: WireEvent[]): WireEvent[] {
    const seq = this.hooks.position()?.seq ?? 0;
    return events.filter((event) => event.seq > seq);
  }

  private settle(id: string | undefined): Pending | undefined {
    const pending = this.pending.get(id ?? "");
    if (pending) this.pending.delete(pending.frame.id);
    return pending;
  }

  /**
   * After a reconnect: what was sent is repeated under its old key (the server answers as it did the first time); what
   * never left is sent only while it still means the same turn.
   */
  private flush(): void {
    const turn = this.hooks.position()?.turn;
    for (const pending of this.pending.values()) {
      const meant = pending.frame.turn;
      if (!pending.sent && meant !== undefined && meant !== turn) {
        this.settle(pending.frame.id);
        pending.reject(new Refusal({ status: 409, code: "stale_turn" }));
      } else {
        this.transmit(pending);
      }
    }
  }

  private lost(): void {
    this.hangUp();
    if (this.closed) return;
    this.hooks.link("offline");
    const wait = BACKOFF[Math.min(this.failures++, BACKOFF.length - 1)] ?? 8000;
    this.retry = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private hangUp(): void {
    const socket = this.socket;
    this.socket = null;
    this.view = null;
    this.welcomed = false;
    clearTimeout(this.heartbeat);
    clearTimeout(this.silence);
    socket?.close();
  }

  private expectSoon(limit = ANSWER_LIMIT): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lost(), limit);
  }

  private ping = (): void => {
    if (!this.welcomed) return;
    this.socket?.send('{"type":"ping"}');
    this.expectSoon();
  };

  private wake = (): void => {
    if (document.visibilityState === "hidden") return;
    if (this.socket) return this.ping();
    this.failures = 0;
    this.connect();
  };

  private drop = (): void => this.lost();
}
