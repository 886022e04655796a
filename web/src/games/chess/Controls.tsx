import { t, type Key } from "../../i18n/index.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";

interface Props {
  /** What the server lets this person do now. */
  options: ReadonlySet<string>;
  /** Whether this person plays: the others only look. */
  plays: boolean;
  /** What one does after a game, once the card over the board is closed. */
  after: readonly AfterGame[];
  drawing: boolean;
  act(type: string): void;
  onFlip(): void;
  onDraw(): void;
}

/** Something to do when a game is over; `href` where it leads to another page. */
export interface AfterGame {
  id: string;
  icon: IconName;
  label: string;
  href?: string;
  pressed?: boolean;
  disabled?: boolean;
  run?(): void;
}

/** One row of buttons in fixed places: what is not possible now is grey, not gone. */
export function Controls({ options, plays, after, drawing, act, onFlip, onDraw }: Props) {
  const button = (icon: IconName, key: Key, run: () => void, enabled: boolean, pressed?: boolean) => (
    <button key={key} type="button" class="tool" disabled={!enabled} aria-pressed={pressed} onClick={run}>
      <Icon name={icon} />
      <span>{t(key)}</span>
    </button>
  );
  const abort = options.has("abort");
  return (
    <div class="tools" role="group" aria-label={t("chess.tools")}>
      {after.map(({ id, icon, label, href, pressed, disabled, run }) =>
        href ? (
          <a key={id} class="tool" href={href}>
            <Icon name={icon} />
            <span>{label}</span>
          </a>
        ) : (
          <button key={id} type="button" class={id === "rematch" ? "tool first" : "tool"} aria-pressed={pressed} disabled={disabled} onClick={run}>
            <Icon name={icon} />
            <span>{label}</span>
          </button>
        ),
      )}
      {plays && !after.length && (
        <>
          {button("undo", "chess.offer_takeback", () => act("offer_takeback"), options.has("offer_takeback"))}
          {button("half", "chess.offer_draw", () => act("offer_draw"), options.has("offer_draw"))}
          {abort ? button("close", "chess.abort", () => act("abort"), true) : button("flag", "chess.resign", () => act("resign"), options.has("resign"))}
        </>
      )}
      {button("flip", "chess.flip", onFlip, true)}
      {button("pencil", "chess.draw", onDraw, true, drawing)}
    </div>
  );
}
