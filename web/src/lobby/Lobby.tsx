import { useRef } from "preact/hooks";
import { me } from "../app/session.ts";
import { loadWords, t } from "../i18n/index.ts";
import { opening } from "./create.ts";
import { JoinByCode } from "./JoinByCode.tsx";
import { NewTable } from "./NewTable.tsx";
import { LanServers, OpenTables, Resume } from "./TableLists.tsx";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { Welcome } from "./Welcome.tsx";

const OpenTournaments = lazy(async () => {
  const [list] = await Promise.all([import("../tournaments/List.tsx"), loadWords("tournaments")]);
  return list.LobbyTournaments;
}, true);

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
          <Tournaments />
          <OpenTables />
          <LanServers />
        </div>
      </div>
    </div>
  );
}

/** The way to the tournaments, with those that are open or played now. */
function Tournaments() {
  return (
    <section class="panel" aria-labelledby="tournaments">
      <h2 id="tournaments">{t("tour.title")}</h2>
      <div class="list-room">
        <OpenTournaments />
      </div>
      <a class="button" href="/tournaments">
        <Icon name="people" />
        {t("tour.all")}
      </a>
    </section>
  );
}
