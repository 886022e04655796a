import { toast } from "../app/live.ts";
import { t } from "../i18n/index.ts";

/** Hands the address of this page on: by the share sheet of the device, or else by copying it. */
export async function shareLink(): Promise<void> {
  const link = location.href;
  if (navigator.share) return navigator.share({ url: link }).catch(() => undefined);
  await navigator.clipboard.writeText(link).then(
    () => toast(t("invite.copied")),
    () => toast(link),
  );
}

/** Whether the device can hand this file to another app. */
export function canShare(file: File): boolean {
  return navigator.canShare?.({ files: [file] }) ?? false;
}

export async function shareFile(file: File): Promise<void> {
  await navigator.share({ files: [file] }).catch(() => undefined);
}

/** Keeps something that this page has made as a file. */
export function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
