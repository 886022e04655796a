import { useEffect, useState } from "preact/hooks";
import type { View } from "../../api/types.ts";
import { felt } from "../../app/prefs.ts";
import { attempt } from "../../app/session.ts";
import { num, t } from "../../i18n/index.ts";
import { gameTitle } from "../../lobby/describe.ts";
import type { TableStore } from "../../table/store.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import type { GameTableProps } from "../game.ts";
import { offeredGame } from "../offered.ts";
import { Actions } from "./Actions.tsx";
import { Value } from "./Value.tsx";
import { actingSeats, isEmpty, label, seatFacts, tableFacts, type Fields, type Name } from "./values.ts";

/** The table of a game that brings no page: players with what is public about them, the state, my part, my actions. */
export function GenericTable({ table, onInvite }: GameTableProps) {
  const view = table.view.value as View<Fields, Fields> | null;
  if (!view) return null;
  const { state } = view;
  const seats = view.seats.length;
  const who: Name = (seat) => table.seatName(Number(seat));
  const facts = tableFacts(state, seats);
  const mine = Object.entries(view.private ?? {}).filter(([, value]) => !isEmpty(value));
  return (
    <section class="generic-table" aria-label={gameTitle(view.game, view.settings)}>
      <Players table={table} view={view} who={who} />
      <TurnLine table={table} view={view} onInvite={onInvite} />
      {view.status !== "waiting" && facts.length > 0 && (
        <section class={`generic-rail felt-${felt.value}`} aria-label={t("generic.table")}>
          <div class="generic-felt">
            <FactList facts={facts} who={who} seats={seats} />
          </div>
        </section>
      )}
      <div class="generic-mine" data-focus-home tabIndex={-1}>
        {mine.length > 0 && (
          <section class="panel generic-private" aria-label={t("generic.private")}>
            <h2>{t("generic.private")}</h2>
            <FactList facts={mine} who={who} seats={seats} />
          </section>
        )}
        <Actions table={table} view={view} schemas={offeredGame(view.game)?.actions ?? {}} />
      </div>
    </section>
  );
}

function Players({ table, view, who }: { table: TableStore; view: View<Fields>; who: Name }) {
  const facts = seatFacts(view.state, view.seats.length);
  const acting = actingSeats(view.state);
  return (
    <ul class="generic-seats">
      {view.seats.map(({ seat, player, connected }) =>
        player ? (
          <li key={seat} class={acting.includes(seat) ? "panel acting" : "panel"} aria-current={acting.includes(seat) ? "true" : undefined}>
            <p class="row">
              <Avatar person={player} size="small" />
              <span class="grow">
                <b class="ellipsis">{player.name}</b>
                <small>{seat === table.mySeat.value ? t("generic.you") : !connected && !player.bot ? t("people.away") : ""}</small>
              </span>
            </p>
            <FactList facts={facts.get(seat) ?? []} who={who} seats={view.seats.length} />
          </li>
        ) : null,
      )}
    </ul>
  );
}

function FactList({ facts, who, seats }: { facts: [string, Fields[string]][]; who: Name; seats: number }) {
  if (!facts.length) return null;
  return (
    <dl class="generic-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{label(name)}</dt>
          <dd>
            <Value name={name} value={value} who={who} seats={seats} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whose turn it is and how long they have, or what the table waits for. Its height does not change. */
function TurnLine({ table, view, onInvite }: { table: TableStore; view: View<Fields>; onInvite(): void }) {
  const seated = view.seats.filter((seat) => seat.player).length;
  const acting = actingSeats(view.state);
  const mine = view.legal !== null;
  if (view.status === "waiting" && view.you?.seats.length) {
    return (
      <div class="generic-turn">
        {seated < 2 ? (
          <>
            <p>{t("table.alone")}</p>
            <button type="button" class="button" onClick={onInvite}>
              {t("invite")}
            </button>
          </>
        ) : view.you.host ? (
          <button type="button" class="button primary" onClick={() => void attempt(() => table.send({ type: "start" }))}>
            {t("host.start")}
          </button>
        ) : (
          <p>{t("generic.ready")}</p>
        )}
      </div>
    );
  }
  const words = mine ? t("yourTurn") : view.status === "finished" ? t("generic.over") : acting.length ? t("generic.turn", { name: acting.map((seat) => table.seatName(seat)).join(", ") }) : "";
  return (
    <div class="generic-turn">
      <p class={mine ? "mine" : ""}>{view.paused ? t("table.paused") : words}</p>
      {!view.paused && <Clock table={table} at={view.deadline?.at ?? null} />}
    </div>
  );
}

function Clock({ table, at }: { table: TableStore; at: number | null }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (at === null) return;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [at]);
  if (at === null) return null;
  return <span class="generic-clock">{t("generic.left", { n: num(Math.max(0, Math.ceil((at - table.now()) / 1000))) })}</span>;
}
