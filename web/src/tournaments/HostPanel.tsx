import { useState } from "preact/hooks";
import { houseStyles } from "../games/houseStyles.ts";
import { loadOffered } from "../games/offered.ts";
import { num, t } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import type { TournamentStore } from "./store.ts";
import { levelsOf } from "./clock.ts";
import type { TournamentView } from "./types.ts";

interface Props {
  tournament: TournamentStore;
  view: TournamentView;
}

/** The server adds no more with one command. */
const BOTS_AT_ONCE = 50;

type Part = "" | "bots" | "people" | "level" | "close";

/** What the host may do: house players, pause, set the level, remove somebody, call it off. */
export function HostPanel({ tournament, view }: Props) {
  const [open, setOpen] = useState<Part>("");
  if (view.status === "finished") return null;
  const toggle = (part: Part) => () => setOpen(open === part ? "" : part);
  const waiting = view.status === "registering";
  const stopped = view.paused;
  const late = view.you?.can.includes("enter") ?? false;
  const button = (part: Part, text: string) => (
    <button type="button" class="button" aria-expanded={open === part} onClick={toggle(part)}>
      {text}
    </button>
  );
  return (
    <section class="panel" aria-labelledby="tour-host">
      <h2 id="tour-host">{t("tour.host")}</h2>
      <div class="button-grid">
        {(waiting || late) && button("bots", t("tour.host.bots"))}
        {!waiting && (
          <button type="button" class="button" onClick={() => void tournament.host(stopped ? "resume" : "pause")}>
            {t(stopped ? "tour.host.resume" : "tour.host.pause")}
          </button>
        )}
        {!waiting && view.level && button("level", t("tour.host.level"))}
        {view.entries.length > 0 && button("people", t("tour.host.people"))}
        {button("close", t("tour.host.close"))}
      </div>
      {open === "bots" && <Bots tournament={tournament} view={view} />}
      {open === "level" && <SetLevel tournament={tournament} view={view} onDone={() => setOpen("")} />}
      {open === "people" && <People tournament={tournament} view={view} />}
      {open === "close" && (
        <>
          <p class="muted">{t("tour.host.close.hint")}</p>
          <button type="button" class="button danger block" onClick={() => void tournament.host("close")}>
            {t("tour.host.close.sure")}
          </button>
        </>
      )}
    </section>
  );
}

function Bots({ tournament, view }: Props) {
  const games = useLoaded(loadOffered, []);
  const { styles, usual } = houseStyles(games, view.game, view.settings);
  const [style, setStyle] = useState("");
  const taken = view.entries.filter(({ status }) => status !== "withdrawn").length;
  const free = Math.max(0, Number(view.settings.entries_max ?? 0) - taken);
  const [count, setCount] = useState(Math.min(free || 1, view.format === "sitngo" ? free || 1 : 8));
  const submit = (event: Event) => {
    event.preventDefault();
    void tournament.host("add_bot", { style: style || usual, count });
  };
  if (!styles.length) return <p role="status">{t("loading")}</p>;
  return (
    <form class="tour-bots" onSubmit={submit}>
      <Field label={t("tour.host.howMany")}>
        {(id) => <input id={id} type="number" inputMode="numeric" required min={1} max={Math.max(1, Math.min(free, BOTS_AT_ONCE))} value={count} onInput={(event) => setCount(event.currentTarget.valueAsNumber || 1)} />}
      </Field>
      <Field label={t("new.style")}>
        {(id) => (
          <select id={id} value={style || usual} onChange={(event) => setStyle(event.currentTarget.value)}>
            {styles.map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button class="button primary" disabled={!free}>
        {t("tour.host.add")}
      </button>
    </form>
  );
}

function SetLevel({ tournament, view, onDone }: Props & { onDone(): void }) {
  const levels = levelsOf(view);
  const [number, setNumber] = useState(Math.min(levels.length, (view.level?.number ?? 0) + 1));
  const submit = (event: Event) => {
    event.preventDefault();
    void tournament.host("level", { number }).then((done) => done && onDone());
  };
  return (
    <form class="tour-bots" onSubmit={submit}>
      <Field label={t("tour.level")}>
        {(id) => (
          <select id={id} value={String(number)} onChange={(event) => setNumber(Number(event.currentTarget.value))}>
            {levels.map(([, small, big, ante], at) => (
              <option key={at} value={String(at + 1)}>
                {`${num(at + 1)}: ${num(small)}/${num(big)}${ante ? ` (${num(ante)})` : ""}`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button class="button primary">{t("tour.host.setLevel")}</button>
    </form>
  );
}

function People({ tournament, view }: Props) {
  const [asked, setAsked] = useState(0);
  const inside = view.entries.filter(({ status }) => status === "entered" || status === "playing");
  return (
    <ul class="people">
      {inside.map(({ entry, player }) => (
        <li key={entry}>
          <span class="grow ellipsis">{player.name}</span>
          <button type="button" class={asked === entry ? "button small danger" : "button small"} onClick={() => (asked === entry ? void tournament.host("remove", { entry }) : setAsked(entry))}>
            {t(asked === entry ? "tour.host.remove.sure" : "tour.host.remove")}
          </button>
        </li>
      ))}
    </ul>
  );
}
