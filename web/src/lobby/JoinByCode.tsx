import { useState } from "preact/hooks";
import { go } from "../app/router.ts";
import { t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";

const QrScanner = lazy<{ onFound(text: string): void; onClose(): void }>(async () => (await import("./QrScanner.tsx")).QrScanner, true);

/** Whether this browser can read a QR code by itself. */
const canScan = (): boolean => "BarcodeDetector" in globalThis && Boolean(navigator.mediaDevices);

/** The code in whatever was typed or scanned: a bare code, or a whole link. */
export function codeOf(text: string): string {
  const link = /\/t(?:ournament)?\/([A-Za-z0-9-]+)/.exec(text);
  return (link?.[1] ?? text).replace(/[^A-Za-z0-9]/g, "").toUpperCase();
}

export function JoinByCode() {
  const [text, setText] = useState("");
  const [scanning, setScanning] = useState(false);
  const join = (found: string) => codeOf(found) && go(`/t${found.includes("/tournament/") ? "ournament" : ""}/${codeOf(found)}`);
  return (
    <section class="panel" aria-labelledby="join">
      <h2 id="join">{t("join.title")}</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          join(text);
        }}
      >
        <input
          class="code-input grow"
          aria-label={t("join.code")}
          placeholder={t("join.code")}
          autocapitalize="characters"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {canScan() && (
          <button type="button" class="button" aria-label={t("join.scan")} onClick={() => setScanning(true)}>
            <Icon name="qr" />
          </button>
        )}
        <button class="button primary" disabled={!codeOf(text)}>
          {t("join.go")}
        </button>
      </form>
      {scanning && <QrScanner onFound={join} onClose={() => setScanning(false)} />}
    </section>
  );
}
