import type { Operations } from "../api/wire.operator.ts";
import { t, tryT } from "../i18n/index.ts";
import { Backup } from "./Backup.tsx";
import { span } from "./format.ts";
import { Load } from "./Load.tsx";
import { Nodes } from "./Nodes.tsx";
import { People } from "./People.tsx";
import { Refusals } from "./Refusals.tsx";
import { lock } from "./secret.ts";
import { Server } from "./Server.tsx";
import { SuggestionBox } from "./SuggestionBox.tsx";
import { Tables } from "./Tables.tsx";
import { Tournaments } from "./Tournaments.tsx";
import { useOperations } from "./useOperations.ts";

/** Everything that the operator sees and does, once the secret is shown. */
export function Desk() {
  const { now, fault, again } = useOperations();
  return (
    <div class="page desk">
      <header class="desk-head">
        <h1 tabIndex={-1}>{t("house.title")}</h1>
        <Health now={now} fault={fault} />
        {now && <p class="muted uptime">{t("house.uptime", { span: span(now.now - now.started) })}</p>}
        <button type="button" class="button small" onClick={lock}>
          {t("house.lock")}
        </button>
      </header>
      {now && (
        <>
          <Load load={now.load} />
          <Nodes nodes={now.nodes ?? []} now={now.now} />
          <Tables now={now} again={again} />
          <Tournaments now={now.now} />
          <div class="desk-columns">
            <People now={now} again={again} />
            <Refusals refusals={now.refusals} now={now.now} />
          </div>
        </>
      )}
      <Server database={now?.database ?? null}>
        <Backup />
      </Server>
      <SuggestionBox />
    </div>
  );
}

function Health({ now, fault }: { now: Operations | null; fault: string }) {
  const outage = now?.outage && tryT(`house.outage.${now.outage}`, t("house.outage.other"));
  return (
    <p class={now && !outage && !fault ? "health" : "health ill"} role="status">
      {fault || outage || (now ? t("house.well") : t("loading"))}
    </p>
  );
}
