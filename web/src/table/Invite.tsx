import { toast } from "../app/live.ts";
import { t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Icon } from "../ui/Icon.tsx";
import { tableCode } from "./TableHead.tsx";

/** The ways to bring somebody to a table: a code to say, a link to send, a picture to scan. */
export function Invite({ code, onClose }: { code: string; onClose(): void }) {
  const link = `${location.origin}/t/${code}`;
  const share = async () => {
    if (navigator.share) return navigator.share({ title: "Parlour", url: link }).catch(() => undefined);
    await navigator.clipboard.writeText(link).then(
      () => toast(t("invite.copied")),
      () => toast(link),
    );
  };
  return (
    <Dialog title={t("invite.title")} onClose={onClose}>
      <div class="invite">
        <img class="qr" src={`/api/v1/tables/${code}/qr.svg`} width="220" height="220" alt={t("invite.qr")} />
        <p class="code" aria-label={Array.from(code).join(" ")}>
          {tableCode(code)}
        </p>
        <p class="link">{link}</p>
        <button type="button" class="button primary block" onClick={() => void share()}>
          <Icon name="share" />
          {t("invite.send")}
        </button>
      </div>
    </Dialog>
  );
}
