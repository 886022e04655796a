import { useState } from "preact/hooks";
import { call, get } from "../api/http.ts";
import type { Privacy as Choice } from "../api/wire.ts";
import { attempt } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Switch } from "../ui/Field.tsx";
import { useLoaded } from "../ui/useLoaded.ts";

/** Whether those one played with see one's figures of what was played together. */
export function Privacy() {
  const loaded = useLoaded(() => get<Choice>("/me/privacy"), []);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const now = chosen ?? loaded;
  if (!now) return null;
  const choose = async (on: boolean) => {
    const saved = await attempt(() => call<Choice>("PUT", "/me/privacy", { statistics: on ? "together" : "nobody" }));
    setChosen(saved ?? { ...now });
  };
  return (
    <section class="panel" aria-label={t("privacy.title")}>
      <h2>{t("privacy.title")}</h2>
      <Switch label={t("privacy.together")} checked={now.statistics === "together"} onChange={(on) => void choose(on)} />
      <p class="muted">{t("privacy.hint")}</p>
    </section>
  );
}
