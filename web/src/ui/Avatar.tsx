import type { Person } from "../api/types.ts";
import { Icon } from "./Icon.tsx";

const HUES = 8;

/** A round mark for a person: the picture they chose, or their initial on a colour of their own. */
export function Avatar({ person, size }: { person: Person; size?: "small" }) {
  let hue = 0;
  for (const char of person.id) hue = (hue * 31 + char.charCodeAt(0)) % HUES;
  const initial = Array.from(person.name.trim())[0]?.toUpperCase() ?? "?";
  return (
    <span class={`avatar hue-${hue} ${size ?? ""}`} aria-hidden="true">
      {person.avatar ? person.avatar : person.bot ? <Icon name="bot" /> : initial}
    </span>
  );
}
