import type { View, WireEvent } from "../../api/types.ts";
import { t } from "../../i18n/index.ts";
import type { Said } from "../../table/narrate.ts";
import type { ChessLegal, ChessState, Colour } from "./types.ts";
import { ending, spokenMove } from "./words.ts";

type Name = (seat: unknown) => string;

/** Puts an event of a chess game into words. */
export function tellChess(event: WireEvent, view: View<ChessState, null, ChessLegal>, name: Name): Said {
  const colour = event.color as Colour | undefined;
  const who = colour ? name(view.state.players[colour]) : "";
  switch (event.type) {
    case "game_started":
      return started(event, view);
    case "moved": {
      const san = String(event.san ?? view.state.san.at(-1) ?? event.uci ?? "");
      return { text: `${who}: ${san}`, spoken: `${who}: ${spokenMove(san)}` };
    }
    case "draw_offered":
    case "takeback_offered":
    case "rematch_offered":
      return t(`say.${event.type}`, { name: who });
    case "draw_declined":
    case "takeback_declined":
      return t("say.declined", { name: who });
    case "taken_back":
      return t("say.takenBack");
    case "game_ended":
      return ended(event, view, name);
    default:
      return null;
  }
}

function started(event: WireEvent, { you }: View<ChessState, null, ChessLegal>): Said {
  const text = t("say.game");
  const [seat, second] = you?.seats ?? [];
  if (seat === undefined || second !== undefined) return { text, head: true };
  return { text, head: true, spoken: `${text}. ${t("say.colour", { colour: t(event.white === seat ? "chess.white" : "chess.black") })}` };
}

function ended(event: WireEvent, view: View<ChessState, null, ChessLegal>, name: Name): string {
  const winner = event.winner as Colour | null | undefined;
  const seat = winner ? view.state.players[winner] : null;
  return ending(winner, event.reason, { name: seat === null ? "" : name(seat), variant: view.state.variant });
}
