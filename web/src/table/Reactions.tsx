import { attempt } from "../app/session.ts";
import { t, type Key } from "../i18n/index.ts";
import type { TableStore } from "./store.ts";

const SIGNS = ["👍", "👏", "😂", "😮", "😢", "🔥"] as const;

interface Props {
  table: TableStore;
  /** Short phrases besides the signs. */
  words: readonly Key[];
  onDone?: () => void;
}

/** Things that are often said, one tap each; they are said in the chat. */
export function Reactions({ table, words, onDone }: Props) {
  const send = (text: string) => {
    onDone?.();
    void attempt(() => table.send({ type: "chat", text }));
  };
  return (
    <div class="reactions" role="group" aria-label={t("react.label")} onKeyDown={(event) => event.key === "Escape" && onDone?.()}>
      {SIGNS.map((sign) => (
        <button key={sign} type="button" class="reaction" onClick={() => send(sign)}>
          {sign}
        </button>
      ))}
      {words.map((key) => (
        <button key={key} type="button" class="reaction phrase" onClick={() => send(t(key))}>
          {t(key)}
        </button>
      ))}
    </div>
  );
}
