import { get } from "../api/http.ts";
import type { Suggestion } from "../api/types.ts";
import { t, when } from "../i18n/index.ts";
import { useLoaded } from "../ui/useLoaded.ts";

/** What guests have suggested, the newest first. */
export function SuggestionBox() {
  const box = useLoaded(() => get<Suggestion[]>("/suggestions"), []);
  return (
    <section class="panel" aria-labelledby="suggestions">
      <h2 id="suggestions">{t("house.suggestions")}</h2>
      {box?.length ? (
        <>
          <ul class="suggestions">
            {box.map((one) => (
              <li key={`${one.at}${one.title}`}>
                <h3>{one.title}</h3>
                <time dateTime={new Date(one.at).toISOString()}>{when(one.at)}</time>
                <p>{one.suggestion}</p>
              </li>
            ))}
          </ul>
          <p class="muted">
            {t("house.suggestions.all")} <code>parlour admin suggestions</code>
          </p>
        </>
      ) : box ? (
        <p class="empty">{t("house.suggestions.none")}</p>
      ) : (
        <p class="empty" role="status">
          {box === undefined ? t("loading") : t("error.offline")}
        </p>
      )}
    </section>
  );
}
