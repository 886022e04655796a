import { batch, computed, signal } from "@preact/signals";
import { get, Refusal } from "../api/http.ts";
import { TableSocket, type Command, type Link } from "../api/socket.ts";
import type { Json, Person, View, WireEvent } from "../api/types.ts";
import { say } from "../app/live.ts";
import { lastGame } from "../app/prefs.ts";
import { go } from "../app/router.ts";
import { attempt, loadMe, me } from "../app/session.ts";
import { roomAtHand, roomOf } from "../games/index.ts";
import { playedBy, withLeavers } from "./leavers.ts";
import { Narrator, type LogLine } from "./narrate.ts";

const LOG_LIMIT = 400;
/** How many events the log reaches back when it is first looked at: a few hands. */
const RECALL = 150;

/** One open table: what is known of it, and what may be asked of it. */
export class TableStore {
  readonly view = signal<View | null>(null);
  readonly link = signal<Link>("connecting");
  readonly missing = signal(false);
  /** Whether the page of the game could not be fetched. */
  readonly broken = signal(false);
  readonly log = signal<LogLine[]>([]);
  /** Events of the newest frame, for what moves and sounds. */
  readonly latest = signal<WireEvent[]>([]);
  /** Whoever sits out at a table that deals them in is folded in their turn: that is no call for them. */
  readonly myTurn = computed(() => {
    const view = this.view.value;
    return view?.legal != null && !view.paused && !view.you?.options.includes("sit_in");
  });
  /** The server's time up to which the chat has been read; null until the first view. */
  readonly readUntil = signal<number | null>(null);
  /** How many lines of others have come since. */
  readonly unread = computed(() => {
    const until = this.readUntil.value;
    const you = this.view.value?.you?.id;
    if (until === null) return 0;
    return (this.view.value?.chat ?? []).filter((line) => line.at > until && line.player !== you).length;
  });
  /** Whether the page still shows what has happened; the view is further on. */
  readonly showing = signal(false);
  readonly mySeat = computed(() => this.view.value?.you?.seats[0] ?? null);
  /** Whether the tournament that this table belongs to is paused: a table of hold'em is not, it only gets no next hand. */
  readonly halted = signal(false);
  /** Whether this person has had a seat here while the page was open. */
  sat = false;
  readonly code: string;
  /** How far the server's clock is ahead of ours. */
  private ahead = 0;
  private readonly socket: TableSocket;
  private readonly narrator = new Narrator();
  private recalled = false;
  /** The newest view while the game's room is still being fetched. */
  private early: View | null = null;

  constructor(code: string) {
    this.code = code;
    this.socket = new TableSocket(code, {
      position: () => {
        const view = this.view.value;
        return view && { epoch: view.epoch, seq: view.seq, turn: view.turn };
      },
      update: (view, events, fresh) => this.arrived(view, events, fresh),
      presence: (view) => {
        if (this.view.value) this.view.value = withLeavers(this.view.value, view);
      },
      link: (state) => this.linked(state),
    });
  }

  close(): void {
    this.socket.close();
  }

  /** Comes back as whoever the cookie now says. */
  reintroduce(): void {
    this.socket.reconnect();
  }

  /** The server's time, as far as we can tell. */
  now(): number {
    return Date.now() + this.ahead;
  }

  seatName(seat: number): string {
    return this.narrator.name(seat);
  }

  /** Who sits there; at a table of a tournament who played the round that is shown, though they have gone. */
  person(seat: number): Person | null {
    return this.view.value && playedBy(this.view.value, seat);
  }

  send(command: Command): Promise<number> {
    return this.socket.send(command);
  }

  /** Acts in this very turn; false where it was refused, which the person is told. */
  async act(action: { type: string; [field: string]: Json }, turn = this.view.value?.turn): Promise<boolean> {
    const seq = await attempt(() => this.send({ type: "action", turn, action }));
    return seq !== undefined;
  }

  async host(power: string, args: Record<string, Json> = {}): Promise<boolean> {
    return (await attempt(() => this.send({ type: "host", power, args }))) !== undefined;
  }

  /** The chat is in view: whatever stands in it has been read. */
  readChat(): void {
    this.readUntil.value = Math.max(this.readUntil.value ?? 0, this.view.value?.chat.at(-1)?.at ?? 0);
  }

  /** Fills the log with what happened shortly before we came. Nothing of it is spoken. */
  async recall(): Promise<void> {
    const view = this.view.value;
    const first = this.log.value[0]?.seq ?? (view ? view.seq + 1 : 0);
    if (this.recalled || !view || first <= 1) return;
    this.recalled = true;
    const text = await get<string>(`/tables/${this.code}/events?since=${Math.max(0, first - RECALL)}`).catch(() => "");
    const events = text.split("\n").filter(Boolean).map((line) => JSON.parse(line) as WireEvent);
    const before = this.narrator.tell(events.filter((event) => event.seq < first), view);
    this.log.value = [...before, ...this.log.value];
  }

  private arrived(view: View, events: WireEvent[], fresh: boolean): void {
    this.sat ||= Boolean(view.you?.seats.length);
    if (this.view.value) return this.update(view, events, fresh);
    const first = this.early === null;
    this.early = withLeavers(this.early, view);
    if (roomAtHand(view.game)) return this.update(this.early, [], true);
    if (first) void this.fetchRoom(view.game);
  }

  private async fetchRoom(game: string): Promise<void> {
    try {
      await roomOf(game);
      if (this.early) this.update(this.early, [], true);
    } catch {
      this.broken.value = true;
    }
  }

  private update(told: View, events: WireEvent[], fresh: boolean): void {
    const view = withLeavers(this.view.value, told);
    this.ahead = view.now - Date.now();
    this.narrator.look(view);
    const lines = fresh ? [] : this.narrator.tell(events, view);
    lastGame.value = view.game;
    const signedOut = this.view.value?.you && !view.you;
    this.readUntil.value ??= view.chat.at(-1)?.at ?? 0;
    batch(() => {
      this.view.value = view;
      this.latest.value = events;
      if (lines.length) this.log.value = [...this.log.value, ...lines].slice(-LOG_LIMIT);
    });
    if (signedOut && me.value) void loadMe().catch(() => null);
    for (const line of lines) say(line.spoken);
  }

  private linked(state: Link): void {
    this.link.value = state;
    if (state !== "offline" || this.view.value) return;
    get<View>(`/tables/${this.code}`).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.status !== 404) return;
      this.close();
      // A code that was typed may be that of a tournament.
      get(`/tournaments/${this.code}`).then(
        () => go(`/tournament/${this.code}`, true),
        () => (this.missing.value = true),
      );
    });
  }
}
