import type { Settings, View, WireEvent } from "../api/types.ts";
import { roomAtHand } from "../games/index.ts";
import { t } from "../i18n/index.ts";
import { queuedWords } from "../lobby/describe.ts";

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

  look(view: View): void {
    for (const { seat, player } of view.seats) if (player) this.names.set(seat, player.name);
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
    const name = String(event.name ?? (event.seat === undefined ? "" : this.name(event.seat)));
    switch (event.type) {
      case "seated":
        this.names.set(event.seat as number, name);
        return t("say.seated", { name });
      case "unseated":
        return t(event.reason === "kicked" ? "say.kicked" : "say.unseated", { name: this.name(event.seat) });
      case "settings_queued":
        return this.queued(event, view);
      case "chat":
        return event.player === view.you?.id ? null : { text: "", spoken: t("say.chat", { name, text: String(event.text) }) };
      case "paused":
        return t("say.paused");
      case "resumed":
        return t("say.resumed");
      case "closed":
        return t("say.closed");
      case "seat_requested":
        return view.you?.host ? t("say.requested", { name }) : null;
      default:
        return null;
    }
  }
}
