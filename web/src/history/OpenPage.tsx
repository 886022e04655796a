import { useRef, useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { PlayedRound } from "../api/types.ts";
import { incoming } from "../app/live.ts";
import { go } from "../app/router.ts";
import { excuse } from "../app/session.ts";
import type { GameRoom } from "../games/game.ts";
import { roomOf } from "../games/index.ts";
import { loadWords, num, t, when } from "../i18n/index.ts";
import { Field } from "../ui/Field.tsx";
import { Icon } from "../ui/Icon.tsx";
import { handsIn, looksLikePgn } from "./fileKind.ts";
import "../styles/history.css";

/** What this page reads at most, in characters. The server reads one hand at a time and says itself how long that may be. */
const LARGEST = 10_000_000;

interface Shown {
  at: number;
  played: PlayedRound;
  room: GameRoom;
}

/** Hands and games from files: hands are replayed here, games of chess go to the analysis board. */
export function OpenPage() {
  const [hands, setHands] = useState<readonly string[]>([]);
  const [shown, setShown] = useState<Shown | null>(null);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const top = useRef<HTMLHeadingElement>(null);
  const turnTo = async (from: readonly string[], at: number) => {
    setFault("");
    setBusy(true);
    try {
      const { rounds } = await post<{ rounds: PlayedRound[] }>("/import", { text: from[at] ?? "" });
      const played = rounds[0];
      if (played) setShown({ at, played, room: await roomOf(played.game) });
      setHands(from);
      top.current?.focus();
    } catch (error) {
      await loadWords("refusals").catch(() => undefined);
      setFault(excuse(error));
    }
    setBusy(false);
  };
  const open = (text: string) => {
    if (looksLikePgn(text)) {
      incoming.value = text;
      return go("/analysis");
    }
    if (text.length > LARGEST) return setFault(t("replay.tooLarge"));
    return void turnTo(handsIn(text), 0);
  };
  const alert = (
    <p class="fault" role="alert">
      {fault}
    </p>
  );
  if (!shown) {
    return (
      <div class="page narrow">
        <h1>{t("replay.title")}</h1>
        <p class="muted">{t("replay.hint")}</p>
        <DropArea busy={busy} onText={open} />
        {alert}
      </div>
    );
  }
  const { at, played, room } = shown;
  const step = (to: number) => void turnTo(hands, to);
  return (
    <div class="page">
      <h1 ref={top} tabIndex={-1}>
        {t("replay.handOf", { n: num(at + 1), count: num(hands.length) })}
      </h1>
      {played.at > 0 && <p class="muted">{when(played.at)}</p>}
      <room.Replay key={at} played={played} />
      {alert}
      <div class="row wrap replay-links">
        <button type="button" class="button" disabled={busy || at === 0} onClick={() => step(at - 1)}>
          <Icon name="prev" />
          {t("history.before")}
        </button>
        <button type="button" class="button" disabled={busy || at >= hands.length - 1} onClick={() => step(at + 1)}>
          {t("history.after")}
          <Icon name="next" />
        </button>
        <button type="button" class="button" onClick={() => setShown(null)}>
          {t("replay.another")}
        </button>
      </div>
    </div>
  );
}

function DropArea({ busy, onText }: { busy: boolean; onText(text: string): void }) {
  const [over, setOver] = useState(false);
  const [text, setText] = useState("");
  // A file that is far too long is not even read.
  const read = async (file: File | undefined) => file && onText(await file.slice(0, 4 * LARGEST).text());
  return (
    <form
      class={over ? "panel drop-area over" : "panel drop-area"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void read(event.dataTransfer?.files[0]);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onText(text);
      }}
    >
      <Field label={t("replay.file")}>
        {(id) => <input id={id} type="file" accept=".phh,.phhs,.toml,.pgn,.txt" disabled={busy} onChange={(event) => void read(event.currentTarget.files?.[0])} />}
      </Field>
      <Field label={t("replay.paste")}>
        {(id) => <textarea id={id} rows={6} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />}
      </Field>
      <button class="button primary" disabled={busy || !text.trim()}>
        {t("replay.open")}
      </button>
    </form>
  );
}
