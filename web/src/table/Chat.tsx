import { useEffect, useRef, useState } from "preact/hooks";
import { attempt } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import type { TableStore } from "./store.ts";

export function Chat({ table }: { table: TableStore }) {
  const [text, setText] = useState("");
  const end = useRef<HTMLLIElement>(null);
  const view = table.view.value;
  const lines = view?.chat ?? [];
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.length]);
  const send = (event: Event) => {
    event.preventDefault();
    const words = text.trim();
    if (!words) return;
    setText("");
    void attempt(() => table.send({ type: "chat", text: words }));
  };
  const allowed = view?.you && !view.you.muted && view.settings.chat !== false;
  return (
    <div class="chat">
      {lines.length ? (
        <ul class="chat-lines">
          {lines.map((line, index) => (
            <li key={`${line.at}-${index}`} class={line.player === view?.you?.id ? "mine" : ""}>
              <b>{line.name}</b> {line.text}
            </li>
          ))}
          <li ref={end} aria-hidden="true" />
        </ul>
      ) : (
        <p class="empty">{t("chat.empty")}</p>
      )}
      {allowed ? (
        <form class="row" onSubmit={send}>
          <input class="grow" maxLength={300} aria-label={t("chat.say")} placeholder={t("chat.say")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <button class="button primary">{t("chat.send")}</button>
        </form>
      ) : (
        <p class="muted">{view?.you?.muted ? t("chat.muted") : t("chat.closed")}</p>
      )}
    </div>
  );
}
