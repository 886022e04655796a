import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { GAMES } from "../games/index.ts";
import { loadOffered } from "../games/offered.ts";
import { notationsOf } from "./files.ts";

interface Props {
  title: string;
  /** The list that is kept: '/me/rounds'. */
  path: string;
  query: string;
  games?: readonly string[] | undefined;
  children?: ComponentChildren;
}

/** Files with many rounds, one for each notation. */
export function Downloads({ title, path, query, games = GAMES.map(({ name }) => name), children }: Props) {
  useEffect(() => void loadOffered().catch(() => undefined), []);
  const notations = games.flatMap((game) => notationsOf(game));
  return (
    <section class="downloads" aria-label={title}>
      <h2>{title}</h2>
      <div class="row wrap">
        {notations.map(({ many, name }) => (
          <a key={many} class="button small" download href={`/api/v1${path}.${many}${query && `?${query}`}`}>
            {name}
          </a>
        ))}
        {children}
      </div>
    </section>
  );
}
