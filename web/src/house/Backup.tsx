import { useState } from "preact/hooks";
import { attempt } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { download } from "./secret.ts";

/** A copy of the database as a file, made while the server goes on. */
export function Backup() {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const file = await attempt(() => download("/backup"));
    if (file) {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file.blob);
      link.download = file.name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    }
    setBusy(false);
  };
  return (
    <button type="button" class="button lone" disabled={busy} onClick={() => void save()}>
      {busy ? t("house.backup.busy") : t("house.backup.go")}
    </button>
  );
}
