import { useEffect } from "preact/hooks";
import { t } from "../i18n/index.ts";
import type { TableStore } from "./store.ts";

/** What happened at the table since we came, newest first. */
export function HandLog({ table }: { table: TableStore }) {
  useEffect(() => void table.recall(), [table]);
  const lines = table.log.value.filter((line) => line.text).reverse();
  const round = Number((table.view.value?.state as { hand?: number; game?: number } | null)?.hand ?? 0);
  return (
    <div class="log">
      {lines.length ? (
        <ol>
          {lines.map((line, index) => (
            <li key={`${line.seq}-${lines.length - index}`} class={line.head ? "head" : ""}>
              {line.text}
            </li>
          ))}
        </ol>
      ) : (
        <p class="empty">{t("log.empty")}</p>
      )}
      <a class="button quiet" href={`/history/${table.code}`}>
        {round ? t("log.all", { n: round }) : t("log.history")}
      </a>
    </div>
  );
}
