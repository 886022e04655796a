import type { Json, View, WireEvent } from "../../api/types.ts";
import type { Said } from "../../table/narrate.ts";
import { plain } from "../../lobby/describe.ts";
import { cardName } from "../holdem/words.ts";
import { cardOf, cardText, inWords, isEmpty, label, type Name } from "./values.ts";

/** Members of every event that the page does not tell. */
const FRAME = new Set(["seq", "at", "type", "seat"]);
/** What the table itself tells, or nobody needs to hear; `skip` stands for what is hidden. */
const UNTOLD = new Set(
  "skip created started joined left seated unseated seat_requested seat_refused chips_requested chips_answered chips_queued chips_unqueued waiting_joined seat_offered waiting_left chat settings_changed settings_queued host_changed paused resumed clock_credited events_lost grace_used kicked muted unmuted closed".split(" "),
);

/** An event of any game in words: 'Anna: swapped', 'Deal ended: winner Ben'. */
export function eventWords(event: WireEvent, who: Name, seats: number, card = cardText): string {
  const deed = plain(event.type);
  const details = Object.entries(event)
    .filter(([name, value]) => !FRAME.has(name) && !isEmpty(value as Json) && value !== false)
    .map(([name, value]) => (value === true ? label(name) : `${label(name)} ${inWords(name, value as Json, who, seats, card)}`))
    .map((part) => part.charAt(0).toLowerCase() + part.slice(1));
  const told = details.length ? `${deed} (${details.join("; ")})` : deed;
  return typeof event.seat === "number" ? `${who(event.seat)}: ${told.charAt(0).toLowerCase()}${told.slice(1)}` : told;
}

/** Whether an event is worth a line. */
export const isTold = (event: WireEvent): boolean => !UNTOLD.has(event.type);

export function tellGeneric(event: WireEvent, view: View, name: Name): Said {
  if (!isTold(event)) return null;
  const words = (card?: (card: string) => string) => eventWords(event, name, view.seats.length, card);
  return { text: words(), spoken: words((card) => cardName(cardOf(card))), head: event.type.endsWith("_started") };
}
