import { useState } from "preact/hooks";
import type { Person, View } from "../api/types.ts";
import { num, t } from "../i18n/index.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Choice, Field } from "../ui/Field.tsx";
import type { TableStore } from "./store.ts";

interface Props {
  table: TableStore;
  view: View;
}

/** The longest reason that the server takes. */
const REASON = 120;

/** The chips that each seat has, where the game has chips; the others know no stacks to correct. */
function stackOf(view: View, seat: number): number | undefined {
  const { players } = (view.state ?? {}) as { players?: unknown };
  const row = Array.isArray(players) ? (players as { seat?: number; stack?: number }[]).find((one) => one.seat === seat) : undefined;
  return typeof row?.stack === "number" ? row.stack : undefined;
}

/** Everybody with a seat or on the waiting list, and what the host may do about them. */
export function Guests({ table, view }: Props) {
  const [open, setOpen] = useState("");
  const seated = view.seats.filter((seat) => seat.player && (seat.player.id !== view.you?.id || stackOf(view, seat.seat) !== undefined));
  if (!seated.length && !view.waiting.length) return <p class="empty">{t("host.alone")}</p>;
  const close = () => setOpen("");
  return (
    <ul class="people">
      {seated.map(({ seat, player }) => player && <Guest key={seat} table={table} view={view} seat={seat} player={player} open={open} onOpen={setOpen} onClose={close} />)}
      {view.waiting.map(({ player, name, avatar, bot }) => (
        <li key={player} class="wrap">
          <Avatar person={{ id: player, name, avatar, bot }} size="small" />
          <span class="grow ellipsis">{name}</span>
          <em class="badge quiet">{t("waiting.badge")}</em>
          <button type="button" class="button small" aria-expanded={open === `kick ${player}`} onClick={() => setOpen(`kick ${player}`)}>
            {t("host.kick")}
          </button>
          {open === `kick ${player}` && <Kick name={name} onKick={(reason) => table.host("kick", { player, reason })} onClose={close} />}
        </li>
      ))}
    </ul>
  );
}

interface GuestProps extends Props {
  seat: number;
  player: Person;
  open: string;
  onOpen(part: string): void;
  onClose(): void;
}

function Guest({ table, view, seat, player, open, onOpen, onClose }: GuestProps) {
  const stack = stackOf(view, seat);
  const own = player.id === view.you?.id;
  const toggle = (part: string) => () => onOpen(open === part ? "" : part);
  const [kick, correct, host] = [`kick ${player.id}`, `correct ${player.id}`, `host ${player.id}`];
  return (
    <li class="wrap">
      <Avatar person={player} size="small" />
      <span class="grow ellipsis">{player.name}</span>
      <span class="row wrap">
        {stack !== undefined && !view.settings.freeze_out && (
          <button type="button" class="button small" aria-expanded={open === correct} onClick={toggle(correct)}>
            {t("host.correct")}
          </button>
        )}
        {player.bot && (
          <button type="button" class="button small" onClick={() => void table.host("remove_bot", { seat })}>
            {t("host.remove")}
          </button>
        )}
        {!player.bot && !own && (
          <>
            <button type="button" class="button small" onClick={() => void table.host("mute", { player: player.id })}>
              {t("host.mute")}
            </button>
            <button type="button" class="button small" aria-expanded={open === kick} onClick={toggle(kick)}>
              {t("host.kick")}
            </button>
            <button type="button" class="button small" aria-expanded={open === host} onClick={toggle(host)}>
              {t("host.handOver")}
            </button>
          </>
        )}
      </span>
      {open === kick && <Kick name={player.name} onKick={(reason) => table.host("kick", { seat, reason })} onClose={onClose} />}
      {open === host && (
        <div class="guest-form" role="group" aria-label={t("host.handOver.question", { name: player.name })}>
          <p>{t("host.handOver.question", { name: player.name })}</p>
          <div class="row answers">
            <button type="button" class="button" onClick={onClose}>
              {t("host.cancel")}
            </button>
            <button type="button" class="button primary" onClick={() => void table.host("hand_over", { player: player.id })}>
              {t("host.handOver")}
            </button>
          </div>
        </div>
      )}
      {open === correct && stack !== undefined && <Correct table={table} seat={seat} name={player.name} stack={stack} live={view.status === "playing"} onClose={onClose} />}
    </li>
  );
}

interface KickProps {
  name: string;
  onKick(reason: string): Promise<boolean>;
  onClose(): void;
}

/** The question before somebody is removed, with a word to take along. */
function Kick({ name, onKick, onClose }: KickProps) {
  const [reason, setReason] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    void onKick(reason.trim()).then((done) => done && onClose());
  };
  return (
    <form class="guest-form" aria-label={t("host.kick.question", { name })} onSubmit={submit}>
      <p>{t("host.kick.question", { name })}</p>
      <Field label={t("host.kick.word", { name })} hint={t("host.seen")}>
        {(id) => <input id={id} maxLength={REASON} autocomplete="off" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />}
      </Field>
      <div class="row answers">
        <button type="button" class="button" onClick={onClose}>
          {t("host.cancel")}
        </button>
        <button class="button danger">{t("host.kick.sure", { name })}</button>
      </div>
    </form>
  );
}

interface CorrectProps {
  table: TableStore;
  seat: number;
  name: string;
  stack: number;
  live: boolean;
  onClose(): void;
}

/** Chips added to a stack or taken away, for a reason that everybody reads. */
function Correct({ table, seat, name, stack, live, onClose }: CorrectProps) {
  const [sign, setSign] = useState<"add" | "take">("add");
  const [chips, setChips] = useState(0);
  const [reason, setReason] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    void table.host("correct", { seat, chips: sign === "add" ? chips : -chips, reason: reason.trim() }).then((done) => done && onClose());
  };
  return (
    <form class="guest-form" aria-label={t("host.correct.title", { name })} onSubmit={submit}>
      <Choice
        label={t("host.correct.stack", { name, chips: num(stack) })}
        value={sign}
        options={[
          ["add", t("host.correct.add")],
          ["take", t("host.correct.take")],
        ]}
        onChange={(chosen) => setSign(chosen)}
      />
      <Field label={t("host.correct.chips")}>
        {(id) => (
          <input
            id={id}
            type="number"
            inputMode="numeric"
            min={1}
            max={sign === "take" ? Math.max(1, stack) : undefined}
            required
            value={chips || ""}
            onInput={(event) => setChips(event.currentTarget.valueAsNumber || 0)}
          />
        )}
      </Field>
      <Field label={t("host.correct.reason")} hint={t("host.seen")}>
        {(id) => <input id={id} required maxLength={REASON} autocomplete="off" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />}
      </Field>
      {live && <p class="muted">{t("host.correct.later")}</p>}
      <div class="row answers">
        <button type="button" class="button" onClick={onClose}>
          {t("host.cancel")}
        </button>
        <button class="button primary">{t("host.correct.go")}</button>
      </div>
    </form>
  );
}
