import { useEffect, useRef, useState } from "preact/hooks";
import { attempt } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Reactions } from "./Reactions.tsx";
import type { TableStore } from "./store.ts";

export function Chat({ table }: { table: TableStore }) {
  const [text, setText] = useState("");
  const end = useRef<HTMLLIElement>(null);
  const view = table.view.value;
  const lines = view?.chat ?? [];
  useEffect(() => {
    end.current?.parentElement?.scrollTo({ top: end.current.offsetTop });
    table.readChat();
  }, [lines.at(-1)?.at]);
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
        <form class="chat-form" onSubmit={send}>
          <Reactions table={table} words={["react.wellPlayed", "react.thanks"]} />
          <span class="row">
            <input class="grow" maxLength={300} aria-label={t("chat.say")} placeholder={t("chat.say")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
            <button class="button primary">{t("chat.send")}</button>
          </span>
        </form>
      ) : (
        <p class="muted">{view?.you?.muted ? t("chat.muted") : t("chat.closed")}</p>
      )}
    </div>
  );
}
