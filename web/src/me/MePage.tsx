import { attempt, me, someone } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Devices } from "./Devices.tsx";
import { OwnData } from "./OwnData.tsx";
import { Preferences } from "./Preferences.tsx";
import { Profile } from "./Profile.tsx";
import { SignedIn } from "./SignedIn.tsx";
import { Statistics } from "./Statistics.tsx";
import { Suggest } from "./Suggest.tsx";
import "../styles/me.css";

/** One's own page: name, choices of this device, statistics, other devices, a word to the host, and the way to the server's page. */
export function MePage() {
  return (
    <div class="page">
      <h1>{t("me.title")}</h1>
      <div class="me-columns">
        {me.value ? (
          <>
            <Profile key={me.value.id} person={me.value} />
            <Statistics />
            <Devices />
            <SignedIn />
            <OwnData key={`data-${me.value.id}`} person={me.value} />
            <Suggest />
          </>
        ) : (
          <section class="panel">
            <h2>{t("me.stranger")}</h2>
            <p class="muted">{t("me.stranger.hint")}</p>
            <button type="button" class="button primary" onClick={() => void attempt(someone)}>
              {t("name.title")}
            </button>
          </section>
        )}
        <Preferences />
      </div>
      <a class="button lone" href="/admin">
        {t("me.server")}
      </a>
      <p class="muted">
        <a href="/third-party.txt">{t("me.licences")}</a>
      </p>
    </div>
  );
}
