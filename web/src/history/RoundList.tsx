import { useEffect, useRef, useState } from "preact/hooks";
import type { RoundLine } from "../api/types.ts";
import { attempt } from "../app/session.ts";
import { LINES } from "../games/lines.ts";
import { t } from "../i18n/index.ts";
import { PlainLine } from "./PlainLine.tsx";

export interface RoundsPage {
  rounds: RoundLine[];
  /** Where the next page begins; null at the end. */
  next: string | null;
}

interface Props {
  /** What is listed: another value is another list. */
  id: string;
  load(before: string | null): Promise<RoundsPage>;
  none: string;
}

/** Hands and games, the newest first, more of them as one asks for them. */
export function RoundList({ id, load, none }: Props) {
  const [rounds, setRounds] = useState<RoundLine[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = useRef(id);
  const add = async (before: string | null) => {
    shown.current = id;
    setBusy(true);
    const page = await attempt(() => load(before));
    if (shown.current !== id) return; // Somebody has asked for another list meanwhile.
    setBusy(false);
    if (!page) return before === null ? setRounds([]) : undefined;
    setRounds((known) => (before === null ? page.rounds : [...(known ?? []), ...page.rounds]));
    setNext(page.next);
  };
  useEffect(() => void add(null), [id]);
  if (!rounds?.length) {
    return (
      <p class="empty" role="status">
        {rounds && !busy ? none : t("loading")}
      </p>
    );
  }
  return (
    <>
      <ul class={busy ? "rounds busy" : "rounds"} aria-label={t("history.rounds")}>
        {rounds.map((line) => (
          <li key={`${line.code} ${line.number}`}>
            <Round line={line} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" class="button lone" disabled={busy} onClick={() => void add(next)}>
          {t("history.more")}
        </button>
      )}
    </>
  );
}

function Round({ line }: { line: RoundLine }) {
  const Line = LINES[line.game];
  const content = Line && Object.keys(line.summary).length ? <Line line={line} /> : <PlainLine line={line} />;
  if (line.kept) return <a href={`/history/${line.code}/${line.number}`}>{content}</a>;
  return (
    <div class="round-gone">
      {content}
      <small class="muted">{t("history.removed")}</small>
    </div>
  );
}
