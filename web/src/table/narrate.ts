import type { Settings, View, WireEvent } from "../api/types.ts";
import { roomAtHand } from "../games/index.ts";
import { num, t, tryT } from "../i18n/index.ts";
import { queuedWords } from "../lobby/describe.ts";
import { chipsWords } from "./chips.ts";

export interface LogLine {
  seq: number;
  at: number;
  text: string;
  /** What a screen reader says: as the text, with what it means for the listener. */
  spoken: string;
  /** Whether a new hand or game begins here. */
  head?: boolean;
}

export type Said = string | { text: string; spoken?: string; head?: boolean } | null;

/** Puts what happens at a table into words. */
export class Narrator {
  private names = new Map<number, string>();
  /** By id: people without a seat are told of as well. */
  private people = new Map<string, string>();

  look(view: View): void {
    for (const { seat, player } of view.seats) if (player) this.meet(player.id, player.name, seat);
    for (const { player, name } of view.waiting) this.meet(player, name);
  }

  private meet(id: string, name: string, seat?: number): void {
    this.people.set(id, name);
    if (seat !== undefined) this.names.set(seat, name);
  }

  name = (seat: unknown): string => this.names.get(seat as number) ?? t("seat.n", { n: Number(seat) + 1 });

  tell(events: WireEvent[], view: View): LogLine[] {
    const lines: LogLine[] = [];
    const tell = roomAtHand(view.game)?.tell;
    for (const event of events) {
      const said = this.room(event, view) ?? tell?.(event, view as View<never, never, never>, this.name);
      if (!said) continue;
      const line = typeof said === "string" ? { text: said } : said;
      lines.push({ seq: event.seq, at: event.at, spoken: line.text, ...line });
    }
    return lines;
  }

  private queued(event: WireEvent, view: View): Said {
    const settings = event.settings as Settings;
    if (Object.keys(settings).length) return queuedWords(view.game, settings, view.settings);
    return t(event.refused ? "say.queueRefused" : "say.queueCancelled");
  }

  /** What happens in any room, whatever is played. */
  private room(event: WireEvent, view: View): Said {
    const id = String(event.player ?? "");
    if (id && typeof event.name === "string") this.meet(id, event.name);
    const name = String(event.name ?? this.people.get(id) ?? (event.seat === undefined ? "" : this.name(event.seat)));
    const own = id === view.you?.id;
    switch (event.type) {
      case "seated":
        this.names.set(event.seat as number, name);
        return t("say.seated", { name });
      case "unseated":
        // Everybody gets up at the end of a tournament: each is told once, and of nobody else.
        if (view.tournament && event.reason === "finished" && !own) return null;
        return tryT(view.tournament ? `say.unseated.${String(event.reason)}` : "", t(event.reason === "kicked" ? "say.kicked" : "say.unseated", { name }), { name });
      case "settings_queued":
        return this.queued(event, view);
      case "chat":
        return event.player === view.you?.id ? null : { text: "", spoken: t("say.chat", { name, text: String(event.text) }) };
      case "paused":
        return t("say.paused");
      case "resumed":
        return t("say.resumed");
      case "events_lost":
        return event.seq > Number(event.last) ? t("say.lost", { n: Number(event.last) - Number(event.first) + 1 }) : null;
      case "closed":
        return t("say.closed");
      case "kicked":
        return event.reason ? t("say.kickReason", { name, reason: String(event.reason) }) : null;
      case "seat_requested":
        return view.you?.host ? t("say.requested", { name }) : null;
      case "seat_refused":
        return own && !event.withdrawn ? t("say.refused") : null;
      case "chips_requested":
        return view.you?.host || own ? t("say.chipsRequested", { name, amount: num(Number(event.amount)) }) : null;
      case "chips_answered":
        if (event.withdrawn) return view.you?.host || own ? t("say.chipsWithdrawn", { name }) : null;
        return event.chips ? t("say.chipsGranted", { name, amount: num(Number(event.chips)) }) : t("say.chipsRefused", { name });
      case "chips_queued":
        return chipsWords(name, Number(event.chips), String(event.reason ?? ""));
      case "chips_unqueued":
        return event.outcome === "done" ? null : t(event.outcome === "cancelled" ? "say.chipsCancelled" : "say.chipsDropped", { name });
      case "waiting_joined":
        return t("say.waits", { name });
      case "seat_offered":
        return own ? null : t("say.offered", { name });
      case "waiting_left":
        return event.reason === "lapsed" ? t("say.lapsed", { name }) : t("say.waitsNoMore", { name });
      default:
        return null;
    }
  }
}
