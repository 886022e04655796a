import { drawPerson, PEOPLE, personFor } from "./people.ts";
import { drawRobot } from "./robots.ts";

/** What is stored as the avatar of somebody who chose the n-th face. */
export const faceName = (n: number) => `face:${n}`;

/** The drawing of a person: svg inside the given view box, or a sign (such as an emoji) to be written. */
export type Picture = { box: string; svg: string } | { sign: string };

const PERSON_BOX = "5 1.5 54 54";
const ROBOT_BOX = "1 0 62 62";

export const FACES = PEOPLE.length;

export function drawFace(n: number): Picture {
  return { box: PERSON_BOX, svg: drawPerson(PEOPLE[n % PEOPLE.length] ?? "") };
}

/** What of a person or of an identity decides the picture. */
interface Subject {
  id: string;
  name: string;
  avatar?: string | null;
  bot?: boolean;
}

/**
 * A program is always a robot, told apart by its name. A person has the face or the sign they chose; who chose none has
 * one of the faces in a variant of their own, always the same. A bare number is a picture chosen in another app.
 */
export function pictureOf({ id, name, avatar, bot }: Subject): Picture {
  if (bot) return { box: ROBOT_BOX, svg: drawRobot(name) };
  const chosen = /^(?:face:)?(\d+)$/.exec(avatar ?? "");
  if (chosen) return drawFace(Number(chosen[1]));
  if (avatar && !avatar.startsWith("face:")) return { sign: avatar };
  return { box: PERSON_BOX, svg: drawPerson(personFor(id)) };
}
