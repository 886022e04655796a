import { t } from "../i18n/index.ts";
import { GAMES } from "./index.ts";

/** Links to the pages of games that need no table. */
export function GamePages() {
  const pages = GAMES.flatMap((game) => (game.pages ?? []).map((page) => ({ ...page, mark: game.mark })));
  return (
    <nav class="row wrap" aria-label={t("tool.label")}>
      {pages.map(({ path, title, mark }) => (
        <a key={path} class="button" href={path}>
          <span aria-hidden="true">{mark}</span>
          {t(title)}
        </a>
      ))}
    </nav>
  );
}
