import { LadderPage } from "../ladder/LadderPage.tsx";
import { PersonPage } from "./PersonPage.tsx";
import { RatingsPage } from "./RatingsPage.tsx";
import { StatsPage } from "./StatsPage.tsx";

/** The pages about figures: one's own, the leaderboard, the ladder of bots, and those of somebody. */
export function StatsPages({ place, id }: { place: string; id: string }) {
  if (place === "people") return <PersonPage key={id} id={id} />;
  if (place === "ladder") return <LadderPage />;
  return place === "ratings" ? <RatingsPage /> : <StatsPage />;
}
