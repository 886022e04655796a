import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Person } from "../api/types.ts";
import { Face } from "../art/Face.tsx";

const HUES = 8;

/** The drawings of faces: fetched beside the page, which does not wait for them. */
const faces = signal<typeof import("../art/faces.ts") | null>(null);
void import("../art/faces.ts").then(
  (loaded) => (faces.value = loaded),
  () => undefined, // The disc and the name beside it remain.
);

/** A round mark for a person: their face, or the sign that they chose on a colour of their own. */
export function Avatar({ person, size }: { person: Person; size?: "small" }) {
  let hue = 0;
  for (const char of person.id) hue = (hue * 31 + char.charCodeAt(0)) % HUES;
  const { id, name, avatar, bot } = person;
  const art = faces.value;
  const picture = useMemo(() => art?.pictureOf({ id, name, avatar, bot }), [art, id, name, avatar, bot]);
  return (
    <span class={`avatar hue-${hue} ${size ?? ""}`} aria-hidden="true">
      {picture && <Face picture={picture} />}
    </span>
  );
}
