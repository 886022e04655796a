import { get } from "../../api/http.ts";
import type { Settings } from "../../api/types.ts";
import type { Profile } from "../../api/wire.ts";
import { useLoaded } from "../../ui/useLoaded.ts";
import { speedOf } from "./speed.ts";

/** What somebody is rated at in the speed and variant that is played; with a question mark while that is still vague. */
export function PlayerRating({ id, settings, variant, ended }: { id: string; settings: Settings; variant: string; ended: boolean }) {
  const person = useLoaded(() => get<Profile>(`/people/${id}`), [id, ended]);
  const speed = speedOf(settings);
  const rating = person?.ratings.find((one) => one.game === "chess" && one.speed === speed && one.variant === variant);
  return rating ? <small class="player-rating">{`${Math.round(rating.rating)}${rating.provisional ? "?" : ""}`}</small> : null;
}
