import { useRef } from "preact/hooks";
import { me } from "../app/session.ts";
import { t } from "../i18n/index.ts";
import { opening } from "./create.ts";
import { JoinByCode } from "./JoinByCode.tsx";
import { NewTable } from "./NewTable.tsx";
import { LanServers, OpenTables, Resume } from "./TableLists.tsx";
import { Welcome } from "./Welcome.tsx";

/** Where everybody starts: go on, join, or open a table. */
export function Lobby() {
  // Whoever opens a table and gives a name for it is about to leave: nothing here moves until they do.
  const person = useRef(me.value);
  if (!opening.value) person.current = me.value;
  const { id, name } = person.current ?? {};
  return (
    <div class="page lobby">
      <Welcome title={name ? t("lobby.hello", { name }) : t("lobby.welcome")} lead={t("lobby.lead")} />
      <Resume id={id} />
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
