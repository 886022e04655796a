import { PersonPage } from "./PersonPage.tsx";
import { RatingsPage } from "./RatingsPage.tsx";
import { StatsPage } from "./StatsPage.tsx";

/** The pages about figures: one's own, the leaderboard, and those of somebody. */
export function StatsPages({ place, id }: { place: string; id: string }) {
  if (place === "people") return <PersonPage key={id} id={id} />;
  return place === "ratings" ? <RatingsPage /> : <StatsPage />;
}
