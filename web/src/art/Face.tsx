import type { Picture } from "./faces.ts";

/** A drawn face as large as its surroundings. The markup is made of our own parts, never of what somebody typed. */
export function Face({ picture }: { picture: Picture }) {
  if ("sign" in picture) return <>{picture.sign}</>;
  return <svg class="face" viewBox={picture.box} aria-hidden="true" dangerouslySetInnerHTML={{ __html: picture.svg }} />;
}
