import { useState } from "preact/hooks";
import { num, t, tryT } from "../i18n/index.ts";
import type { Info } from "../tournaments/types.ts";
import { formatName, startWords, statusName } from "../tournaments/words.ts";
import { useLoaded } from "../ui/useLoaded.ts";
import { Closable } from "./Closable.tsx";
import { span } from "./format.ts";
import { ask } from "./secret.ts";

const EVERY = 15_000;

/** The tournaments that are not over, private ones too. `now` is the server's time, which grows while somebody looks. */
export function Tournaments({ now }: { now: number }) {
  const [closed, setClosed] = useState(0);
  const all = useLoaded(() => ask<Info[]>("GET", "/tournaments"), [closed, Math.floor(now / EVERY)]);
  if (!all) return null;
  const open = all.filter(({ status }) => status !== "finished");
  return (
    <section class="panel" aria-labelledby="tournaments">
      <div class="panel-head">
        <h2 id="tournaments">{t("house.tournaments")}</h2>
        <small class="muted">{t("house.tournaments.count", { open: num(open.length), over: num(all.length - open.length) })}</small>
      </div>
      <Closable kind="tournament" items={open} line={(one) => <Line one={one} now={now} />} again={() => setClosed((count) => count + 1)} />
    </section>
  );
}

function Line({ one, now }: { one: Info; now: number }) {
  const facts = [
    formatName(one.format),
    t("house.tournament.entries", { count: num(one.players), most: num(one.entries_max) }),
    one.status === "registering" && startWords(one),
    t("house.tournament.host", { name: one.host.name }),
    t("house.table.age", { span: span(now - one.created) }),
  ].filter(Boolean);
  return (
    <div class="desk-item">
      <p class="desk-name">
        <a class="desk-code" href={`/tournament/${one.code}`}>
          {one.code}
        </a>
        <span>{tryT(`game.${one.game}`, one.game)}</span>
        <span class="muted">{one.name}</span>
        <em class={one.status === "running" ? "badge" : "badge plain"}>{statusName(one.status)}</em>
        {one.private && <em class="badge plain">{t("house.private")}</em>}
      </p>
      <p class="muted desk-facts">{facts.join(" · ")}</p>
    </div>
  );
}
