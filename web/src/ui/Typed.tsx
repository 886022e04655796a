import type { InputHTMLAttributes } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

type Props = InputHTMLAttributes<HTMLInputElement> & {
  value: string;
  /** The text, when one is done with typing it. */
  onDone(text: string): void;
};

/** A field whose text is taken when one is done with it. What is being typed stays when the page is drawn again meanwhile. */
export function Typed({ value, onDone, ...input }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  useLayoutEffect(() => setDraft(null), [value]); // before anybody can type: a later effect would take away what was typed
  return <input autocomplete="off" {...input} value={draft ?? value} onInput={(event) => setDraft(event.currentTarget.value)} onChange={(event) => onDone(event.currentTarget.value.trim())} />;
}
