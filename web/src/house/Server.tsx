import type { ComponentChildren } from "preact";
import type { Census, ServerFacts, Setting } from "../api/wire.operator.ts";
import { num, t, tryT } from "../i18n/index.ts";
import { useLoaded } from "../ui/useLoaded.ts";
import { bytes } from "./format.ts";
import { ask } from "./secret.ts";

/** What does not change while the server runs: how to back it up, versions, settings, limits. */
export function Server({ database, children }: { database: Census | null; children: ComponentChildren }) {
  const facts = useLoaded(() => ask<ServerFacts>("GET", "/server"), []);
  return (
    <div class="desk-columns">
      <section class="panel" aria-labelledby="backup">
        <h2 id="backup">{t("house.backup")}</h2>
        {facts?.backup === "download" && (
          <>
            <p class="muted">{t("house.backup.hint")}</p>
            {children}
            <p class="muted">{t("house.backup.command")}</p>
            <p class="command">
              <code>parlour admin backup {t("house.backup.file")} --data {folder(facts.settings)}</code>
            </p>
          </>
        )}
        {facts?.backup === "pg_dump" && (
          <>
            <p class="muted">{t("house.backup.postgres")}</p>
            <p class="command">
              <code>pg_dump --format=custom --file={t("house.backup.file")} {t("house.backup.database")}</code>
            </p>
          </>
        )}
        <p class="muted">{t("house.backup.key")}</p>
      </section>
      <section class="panel" aria-labelledby="server">
        <h2 id="server">{t("house.server")}</h2>
        {facts ? (
          <dl class="facts">
            <dt>Parlour</dt>
            <dd>{facts.versions.parlour}</dd>
            <dt>Python</dt>
            <dd>{facts.versions.python}</dd>
            <dt>{t("house.system")}</dt>
            <dd>{facts.versions.system}</dd>
            <dt>{t("house.database")}</dt>
            <dd>
              {facts.versions.database}
              {database && `, ${bytes(database.size)}`}
            </dd>
            <dt>{t("house.schema")}</dt>
            <dd>{num(facts.versions.schema)}</dd>
          </dl>
        ) : (
          <p class="empty" role="status">
            {facts === undefined ? t("loading") : t("error.offline")}
          </p>
        )}
      </section>
      {facts && (
        <section class="panel folds" aria-label={t("house.settings.title")}>
          <Settings settings={facts.settings} />
          <Limits limits={facts.limits} />
        </section>
      )}
    </div>
  );
}

function folder(settings: Setting[]): string {
  return settings.find((setting) => setting.name === "--data")?.value ?? t("house.folder");
}

function Settings({ settings }: { settings: Setting[] }) {
  return (
    <details class="fold">
      <summary>{t("house.settings", { count: num(settings.length) })}</summary>
      {settings.length ? (
        <dl class="settings">
          {settings.map((setting) => (
            <div key={setting.name} class={setting.source === "default" ? "" : "chosen"}>
              <dt>
                <code>{setting.name}</code>
              </dt>
              <dd>
                <span>{setting.value || "–"}</span> <small class="muted">{tryT(`house.source.${setting.source}`, setting.source)}</small>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p class="muted">{t("house.settings.none")}</p>
      )}
    </details>
  );
}

function Limits({ limits }: { limits: Record<string, string> }) {
  return (
    <details class="fold">
      <summary>{t("house.limits")}</summary>
      <p class="muted">{t("house.limits.hint")}</p>
      <dl class="settings">
        {Object.entries(limits).map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
