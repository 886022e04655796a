import type { PlayedRound } from "../../api/types.ts";
import { t } from "../../i18n/index.ts";
import { eventWords, isTold } from "./narrate.ts";
import type { Name } from "./values.ts";

/** What happened in a round, line by line. */
export function GenericReplay({ played }: { played: PlayedRound }) {
  const names = played.names as Record<string, string>;
  const who: Name = (seat) => names[String(seat)] ?? t("seat.n", { n: Number(seat) + 1 });
  const seats = Math.max(0, ...Object.keys(names).map(Number)) + 1;
  return (
    <ol class="panel generic-replay">
      {played.events.filter(isTold).map((event) => (
        <li key={event.seq}>{eventWords(event, who, seats)}</li>
      ))}
    </ol>
  );
}
