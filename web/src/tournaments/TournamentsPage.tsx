import { useState } from "preact/hooks";
import { t } from "../i18n/index.ts";
import { Choice } from "../ui/Field.tsx";
import { TournamentLines, useTournaments } from "./List.tsx";
import { NewTournament } from "./NewTournament.tsx";
import type { Info } from "./types.ts";

type Show = "open" | "running" | "over";

const WANTED: Record<Show, (one: Info) => boolean> = {
  open: ({ status }) => status === "registering",
  running: ({ status }) => status === "running" || status === "break",
  over: ({ status }) => status === "finished",
};

/** Every tournament of the house that is not private, and a new one. */
export function TournamentsPage() {
  const all = useTournaments();
  const [chosen, setChosen] = useState<Show | null>(null);
  const of = (show: Show) => all?.filter(WANTED[show]) ?? [];
  // Whoever comes sees what can be entered, or what is played where nothing can.
  const show = chosen ?? (of("open").length || !of("running").length ? "open" : "running");
  const shown = of(show);
  const options = (["open", "running", "over"] as const).map((one) => [one, of(one).length ? `${t(`tour.show.${one}`)} (${of(one).length})` : t(`tour.show.${one}`)] as const);
  return (
    <div class="page">
      <h1>{t("tour.title")}</h1>
      <div class="lobby-columns">
        <section class="panel tour-choice" aria-labelledby="tour-list">
          <h2 id="tour-list">{t("tour.list")}</h2>
          <Choice<Show> label={t("tour.show")} value={show} options={options} onChange={setChosen} />
          {shown.length ? <TournamentLines tournaments={shown} /> : <p class="empty">{all === undefined ? t("loading") : all === null ? t("error.offline") : t(`tour.none.${show}`)}</p>}
        </section>
        <NewTournament />
      </div>
    </div>
  );
}
