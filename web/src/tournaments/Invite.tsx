import { t } from "../i18n/index.ts";
import { tableCode } from "../table/code.ts";
import { InviteDialog } from "../ui/InviteDialog.tsx";
import { Qr } from "../ui/Qr.tsx";

/** Brings somebody to a tournament. */
export function Invite({ code, onClose }: { code: string; onClose(): void }) {
  const link = `${location.origin}/tournament/${code}`;
  return (
    <InviteDialog title={t("tour.invite")} code={code} shown={tableCode(code)} link={link} send={t("tour.invite.send")} onClose={onClose}>
      <Qr text={link} label={t("tour.invite.qr")} />
    </InviteDialog>
  );
}
