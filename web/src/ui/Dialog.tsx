import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { dialogs } from "../app/live.ts";
import { t } from "../i18n/index.ts";
import { Icon } from "./Icon.tsx";
import { Toasts } from "./Toasts.tsx";

interface Props {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A modal dialog: the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [self] = useState({});
  useEffect(() => {
    dialog.current?.showModal();
    dialogs.value = [...dialogs.value, self];
    return () => void (dialogs.value = dialogs.value.filter((one) => one !== self));
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label={t("close")} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
      <div role="status">{dialogs.value.at(-1) === self && <Toasts />}</div>
    </dialog>
  );
}
