import { me } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { JoinByCode } from "./JoinByCode.tsx";
import { NewTable } from "./NewTable.tsx";
import { LanServers, OpenTables, Resume } from "./TableLists.tsx";
import { Welcome } from "./Welcome.tsx";

/** Where everybody starts: go on, join, or open a table. */
export function Lobby() {
  const person = me.value;
  return (
    <div class="page lobby">
      <Welcome title={person ? t("lobby.hello", { name: person.name }) : t("lobby.welcome")} lead={t("lobby.lead")} />
      <Resume />
      <div class="lobby-columns">
        <NewTable />
        <div class="stack-large">
          <JoinByCode />
          <OpenTables />
          <LanServers />
        </div>
      </div>
    </div>
  );
}
