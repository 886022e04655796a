import { useEffect, useState } from "preact/hooks";
import { get } from "../api/http.ts";
import { gameOf } from "../games/index.ts";
import { num, t } from "../i18n/index.ts";
import { gameTitle } from "../lobby/describe.ts";
import { Icon } from "../ui/Icon.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import type { Info } from "./types.ts";
import { formatName, lateWords, startWords, statusName } from "./words.ts";
import "../styles/tournaments.css";

const REFRESH = 8000;

/** The tournaments that everybody may see, and one's own, fetched anew while somebody looks. */
export function useTournaments(): Info[] | null | undefined {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setRound((count) => count + 1), REFRESH);
    return () => clearInterval(timer);
  }, []);
  return useLoaded(() => get<Info[]>("/tournaments"), [round]);
}

/** Tournaments as lines: those that take entries and those that are played; over ones only where asked for. */
export function TournamentLines({ tournaments }: { tournaments: readonly Info[] }) {
  return (
    <ul class="table-list tour-lines">
      {tournaments.map((one) => (
        <li key={one.code}>
          <a href={`/tournament/${one.code}`}>
            <span class={`game-mark ${one.game}`} aria-hidden="true">
              {gameOf(one.game).mark}
            </span>
            <span class="grow">
              <b class="ellipsis">{one.name}</b>
              <small>
                {[gameTitle(one.game, {}), formatName(one.format), one.status === "registering" ? startWords(one) : lateWords(one) || t("tour.hostedBy", { name: one.host.name })].join(" · ")}
              </small>
            </span>
            <span class="tour-count">
              <b>{one.format === "sitngo" ? `${num(one.players)}/${num(one.entries_max)}` : num(one.players)}</b>
              {one.status !== "registering" && <em class={`badge ${one.status}`}>{statusName(one.status)}</em>}
            </span>
            <Icon name="next" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** So many are shown in the lobby. */
const FEW = 4;

/** In the lobby: what one could enter or watch now. */
export function LobbyTournaments() {
  const all = useTournaments();
  // One's own first: a private one is found nowhere else.
  const open = all?.filter(({ status }) => status !== "finished").toSorted((one, two) => Number(two.yours) - Number(one.yours)).slice(0, FEW) ?? [];
  return open.length ? <TournamentLines tournaments={open} /> : <p class="empty">{all === undefined ? t("loading") : t("tour.none")}</p>;
}
