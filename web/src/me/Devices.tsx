import { useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { Transfer } from "../api/types.ts";
import { attempt } from "../app/session.ts";
import { t, when } from "../i18n/index.ts";
import { Qr } from "../ui/Qr.tsx";

/** Takes this identity to another device: a picture to scan, good once and for ten minutes. */
export function Devices() {
  const [transfer, setTransfer] = useState<Transfer | null>(null);
  const ask = async () => setTransfer((await attempt(() => post<Transfer>("/me/transfer"))) ?? null);
  return (
    <section class="panel" aria-labelledby="devices">
      <h2 id="devices">{t("transfer.title")}</h2>
      <p class="muted">{t("transfer.hint")}</p>
      {transfer ? (
        <div class="invite">
          <Qr text={transfer.link} label={t("transfer.qr")} />
          <p class="link">{transfer.link}</p>
          <small class="muted">{t("transfer.until", { when: when(transfer.expires) })}</small>
        </div>
      ) : (
        <button type="button" class="button" onClick={() => void ask()}>
          {t("transfer.go")}
        </button>
      )}
    </section>
  );
}
