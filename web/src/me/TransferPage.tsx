import { useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { Identity } from "../api/types.ts";
import { go } from "../app/router.ts";
import { attempt, loadMe } from "../app/session.ts";
import { t } from "../i18n/index.ts";

/** Where a one-time link leads. The code is in the fragment, which no browser sends along. */
export function TransferPage() {
  const [code] = useState(location.hash.slice(1));
  const [busy, setBusy] = useState(false);
  const redeem = async () => {
    setBusy(true);
    const identity = await attempt(() => post<Identity>("/identities/redeem", { code }));
    setBusy(false);
    if (!identity) return;
    await attempt(loadMe);
    go("/", true);
  };
  return (
    <div class="page narrow center">
      <h1>{t("transfer.arrive")}</h1>
      <p>{t("transfer.arrive.hint")}</p>
      <button type="button" class="button primary" disabled={busy || !code} onClick={() => void redeem()}>
        {t("transfer.take")}
      </button>
    </div>
  );
}
