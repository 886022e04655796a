import { t } from "../i18n/index.ts";
import { InviteDialog } from "../ui/InviteDialog.tsx";
import { tableCode } from "./code.ts";

/** Brings somebody to a table. */
export function Invite({ code, onClose }: { code: string; onClose(): void }) {
  return (
    <InviteDialog title={t("invite.title")} code={code} shown={tableCode(code)} link={`${location.origin}/t/${code}`} send={t("invite.send")} onClose={onClose}>
      <img class="qr" src={`/api/v1/tables/${code}/qr.svg`} width="220" height="220" alt={t("invite.qr")} />
    </InviteDialog>
  );
}
