import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Icon } from "../../ui/Icon.tsx";
import type { AfterGame } from "./Controls.tsx";
import { score } from "./facts.ts";
import type { ChessView, Colour } from "./types.ts";
import { ending } from "./words.ts";

/** A card over the board: in the middle unless a place is given. */
export function BoardCard({ label, place, onClose, children }: { label: string; place?: string; onClose?: () => void; children: ComponentChildren }) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => event.key === "Escape" && !document.querySelector("dialog[open]") && onClose?.();
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
  return (
    <div class={`board-card ${place ?? ""}`} role="group" aria-label={label}>
      {onClose && (
        <button type="button" class="icon-button board-card-close" aria-label={t("close")} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
      {children}
    </div>
  );
}

interface EndProps {
  table: TableStore;
  view: ChessView;
  /** Whether the card lies at the lower edge: the other half shows the king that lost. */
  low: boolean;
  nameOf(colour: Colour): string;
  after: readonly AfterGame[];
  /** What the opponent or oneself has offered. */
  note: string;
  onClose(): void;
}

/** The end of a game: who won and how, a rematch first. */
export function EndCard({ table, view, low, nameOf, after, note, onClose }: EndProps) {
  const { result, players, variant } = view.state;
  if (!result) return null;
  const face = (colour: Colour) => {
    const person = table.person(players[colour] ?? -1);
    return (
      <span class={result.winner === colour ? "end-player won" : "end-player"}>
        {person ? <Avatar person={person} /> : <span class="avatar empty" aria-hidden="true" />}
        <small class="ellipsis">{nameOf(colour)}</small>
      </span>
    );
  };
  const words = ending(result.winner, result.reason, { name: result.winner ? nameOf(result.winner) : "", variant });
  const [first, ...rest] = after;
  return (
    <BoardCard label={words} place={low ? "low" : "high"} onClose={onClose}>
      <div class="end-players">
        {face("white")}
        <b class="end-score">{score(result.winner, result.reason)}</b>
        {face("black")}
      </div>
      <p class="end-words">{words}</p>
      {note && <p class="end-note">{note}</p>}
      {first && (
        <div class="end-actions">
          <Do action={first} primary />
          <div class="end-rest">
            {rest.map((action) => (
              <Do key={action.id} action={action} />
            ))}
          </div>
        </div>
      )}
    </BoardCard>
  );
}

function Do({ action: { icon, label, href, disabled, pressed, run }, primary }: { action: AfterGame; primary?: boolean }) {
  const kind = primary ? "button primary block" : "button small";
  const content = (
    <>
      <Icon name={icon} />
      {label}
    </>
  );
  if (href) {
    return (
      <a class={kind} href={href}>
        {content}
      </a>
    );
  }
  return (
    <button type="button" class={kind} disabled={disabled} aria-pressed={pressed} onClick={run}>
      {content}
    </button>
  );
}
