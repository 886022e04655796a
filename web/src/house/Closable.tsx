import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toast } from "../app/live.ts";
import { t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Question } from "./Question.tsx";
import { ask } from "./secret.ts";

interface Props<T> {
  kind: "table" | "tournament";
  items: readonly T[];
  line(item: T): ComponentChildren;
  again(): Promise<void> | void;
}

/** What the operator may close, a line each, with a second question before it is. */
export function Closable<T extends { code: string }>({ kind, items, line, again }: Props<T>) {
  const [closing, setClosing] = useState<string | null>(null);
  const close = async () => {
    await ask("DELETE", `/${kind}s/${closing}`);
    toast(t(`house.${kind}.closed`, { code: closing ?? "" }));
    await again();
  };
  if (!items.length) return <p class="empty">{t(`house.${kind}s.none`)}</p>;
  return (
    <>
      <ul class="desk-list">
        {items.map((item) => (
          <li key={item.code}>
            {line(item)}
            <button type="button" class="button small" aria-label={t(`house.${kind}.close.of`, { code: item.code })} onClick={() => setClosing(item.code)}>
              {t(`house.${kind}.close`)}
            </button>
          </li>
        ))}
      </ul>
      {closing && (
        <Dialog title={t(`house.${kind}.close.of`, { code: closing })} onClose={() => setClosing(null)}>
          <Question text={t(`house.${kind}.close.ask`)} action={t(`house.${kind}.close`)} onYes={close} onDone={() => setClosing(null)} />
        </Dialog>
      )}
    </>
  );
}
