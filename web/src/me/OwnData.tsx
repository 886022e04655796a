import { t } from "../i18n/index.ts";

/** Everything that the server keeps about this person, to take along. */
export function OwnData() {
  return (
    <section class="panel" aria-labelledby="own-data">
      <h2 id="own-data">{t("data.title")}</h2>
      <p class="muted">{t("data.hint")}</p>
      <a class="button" href="/api/v1/me/export" download="parlour.zip">
        {t("data.export")}
      </a>
    </section>
  );
}
