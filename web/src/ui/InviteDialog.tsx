import type { ComponentChildren } from "preact";
import { toast } from "../app/live.ts";
import { t } from "../i18n/index.ts";
import { Dialog } from "./Dialog.tsx";
import { Icon } from "./Icon.tsx";

interface Props {
  title: string;
  /** As it is said. */
  code: string;
  /** As it is read. */
  shown: string;
  link: string;
  send: string;
  /** The link as a picture. */
  children: ComponentChildren;
  onClose(): void;
}

/** The ways to bring somebody along: a code to say, a link to send, a picture to scan. */
export function InviteDialog({ title, code, shown, link, send, children, onClose }: Props) {
  const share = async () => {
    if (navigator.share) return navigator.share({ title: "Parlour", url: link }).catch(() => undefined);
    await navigator.clipboard.writeText(link).then(
      () => toast(t("invite.copied")),
      () => toast(link),
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="invite">
        {children}
        <p class="code" aria-label={Array.from(code).join(" ")}>
          {shown}
        </p>
        <p class="link">{link}</p>
        <button type="button" class="button primary block" onClick={() => void share()}>
          <Icon name="share" />
          {send}
        </button>
      </div>
    </Dialog>
  );
}
