import type { View } from "../api/types.ts";
import { attempt } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { Avatar } from "../ui/Avatar.tsx";
import type { TableStore } from "./store.ts";
import { joinWaitingList, seatsToTake } from "./waiting.ts";

/** Who is here, and who waits for a seat. */
export function People({ table }: { table: TableStore }) {
  const view = table.view.value;
  if (!view) return null;
  return (
    <>
      <ul class="people">
        {view.seats.map(({ seat, player, connected }) =>
          player ? (
            <li key={seat}>
              <Avatar person={player} size="small" />
              <a class="grow ellipsis" href={`/people/${player.id}`}>
                {player.name}
              </a>
              {player.id === view.host && <em class="badge">{t("people.host")}</em>}
              {!connected && !player.bot && <em class="badge quiet">{t("people.away")}</em>}
            </li>
          ) : null,
        )}
        <li class="muted">{t("people.watching", { n: view.spectators })}</li>
      </ul>
      <WaitingList table={table} view={view} />
    </>
  );
}

/** The waiting list of a full table, in order; everybody without a seat may join it. */
function WaitingList({ table, view }: { table: TableStore; view: View }) {
  const { you, waiting, status } = view;
  const mayJoin = !you?.seats.length && !you?.waiting && !you?.request && status !== "closed" && seatsToTake(view) < 1;
  if (!waiting.length && !mayJoin) return null;
  return (
    <section class="stack" aria-labelledby="waiting-list">
      <h3 id="waiting-list">{t("waiting.title")}</h3>
      {waiting.length > 0 && (
        <ol class="people waiting-list">
          {waiting.map(({ player, name, avatar, bot, until }, index) => (
            <li key={player}>
              <span class="place">{index + 1}</span>
              <Avatar person={{ id: player, name, avatar, bot }} size="small" />
              <span class="grow ellipsis">{name}</span>
              {until !== null && <em class="badge">{t("waiting.offered")}</em>}
            </li>
          ))}
        </ol>
      )}
      {mayJoin && (
        <button type="button" class="button" onClick={() => void joinWaitingList(table)}>
          {t("join.wait")}
        </button>
      )}
      {you?.waiting && (
        <button type="button" class="button" onClick={() => void attempt(() => table.send({ type: "leave" }))}>
          {t("join.unwait")}
        </button>
      )}
    </section>
  );
}
