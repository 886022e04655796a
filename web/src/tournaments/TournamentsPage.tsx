import { useState } from "preact/hooks";
import { t } from "../i18n/index.ts";
import { Choice } from "../ui/Field.tsx";
import { TournamentLines, useTournaments } from "./List.tsx";
import { NewTournament } from "./NewTournament.tsx";
import type { Info } from "./types.ts";
import { lateWords } from "./words.ts";

type Show = "open" | "running" | "over";

/** So many of one's own, the newest. */
const OWN = 6;

const WANTED: Record<Show, (one: Info) => boolean> = {
  // What runs and still takes entries can be entered, too.
  open: (one) => one.status === "registering" || lateWords(one) !== "",
  running: ({ status }) => status === "running" || status === "break",
  over: ({ status }) => status === "finished",
};

/** Every tournament of the house that is not private, one's own, and a new one. */
export function TournamentsPage() {
  const all = useTournaments();
  const [chosen, setChosen] = useState<Show | null>(null);
  const mine = all?.filter(({ yours }) => yours) ?? [];
  // The private ones of this person stand among their own alone.
  const of = (show: Show) => all?.filter((one) => !one.private && WANTED[show](one)) ?? [];
  // Whoever comes sees what can be entered, or what is played where nothing can.
  const show = chosen ?? (of("open").length || !of("running").length ? "open" : "running");
  const shown = of(show);
  const options = (["open", "running", "over"] as const).map((one) => [one, of(one).length ? `${t(`tour.show.${one}`)} (${of(one).length})` : t(`tour.show.${one}`)] as const);
  return (
    <div class="page">
      <h1>{t("tour.title")}</h1>
      <div class="lobby-columns">
        <div class="stack-large">
          {mine.length > 0 && (
            <section class="panel" aria-labelledby="tour-mine">
              <h2 id="tour-mine">{t("tour.mine")}</h2>
              <TournamentLines tournaments={mine.slice(0, OWN)} />
            </section>
          )}
          <section class="panel tour-choice" aria-labelledby="tour-list">
            <h2 id="tour-list">{t("tour.list")}</h2>
            <Choice<Show> label={t("tour.show")} value={show} options={options} onChange={setChosen} />
            {shown.length ? <TournamentLines tournaments={shown} /> : <p class="empty">{all === undefined ? t("loading") : all === null ? t("error.offline") : t(`tour.none.${show}`)}</p>}
          </section>
        </div>
        <NewTournament />
      </div>
    </div>
  );
}
