import { useState } from "preact/hooks";
import { get, Refusal } from "../api/http.ts";
import type { PlayedRound } from "../api/types.ts";
import { gameOf, roomOf } from "../games/index.ts";
import type { GameRoom } from "../games/game.ts";
import { loadOffered } from "../games/offered.ts";
import { t, when } from "../i18n/index.ts";
import { lazy } from "../ui/Lazy.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { notationsOf } from "./files.ts";
import { shareLink } from "./share.ts";
import type { PictureProps } from "./PictureDialog.tsx";

const PictureDialog = lazy<PictureProps>(async () => (await import("./PictureDialog.tsx")).PictureDialog, true);

interface Found {
  played: PlayedRound;
  room: GameRoom;
}

/** One hand or game, step by step, with a link and a picture to share and files to keep. */
export function Replay({ code, round }: { code: string; round: number }) {
  const loaded = useLoaded(() => playedRound(code, round), [code, round]);
  const [drawing, setDrawing] = useState(false);
  if (!loaded || loaded === "removed") {
    return (
      <div class="page narrow">
        <h1>{t("history.of", { code })}</h1>
        <p role="status">{loaded === undefined ? t("loading") : t(loaded ? "history.removed" : "history.missing")}</p>
        <a class="button lone" href={`/history/${code}`}>
          {t("history.all")}
        </a>
      </div>
    );
  }
  const { played, room } = loaded;
  const title = t(`history.${gameOf(played.game).round}`, { n: round });
  return (
    <div class="page">
      <h1>{title}</h1>
      <p class="muted">{[played.name, when(played.at)].filter(Boolean).join(" · ")}</p>
      <room.Replay played={played} />
      <div class="row wrap replay-links">
        <a class="button" href={`/history/${code}/${round - 1}`} hidden={round < 2}>
          <Icon name="prev" />
          {t("history.before")}
        </a>
        <button type="button" class="button" onClick={() => void shareLink()}>
          <Icon name="share" />
          {t("history.share")}
        </button>
        {room.picture && Object.keys(played.summary).length > 0 && (
          <button type="button" class="button" onClick={() => setDrawing(true)}>
            {t("picture.title")}
          </button>
        )}
        <Files code={code} round={round} game={played.game} />
        <a class="button" href={`/history/${code}`}>
          {t("history.all")}
        </a>
        <a class="button" href={`/history/${code}/${round + 1}`}>
          {t("history.after")}
          <Icon name="next" />
        </a>
      </div>
      {drawing && <PictureDialog played={played} room={room} name={`parlour-${code}-${round}.png`} onClose={() => setDrawing(false)} />}
    </div>
  );
}

function Files({ code, round, game }: { code: string; round: number; game: string }) {
  return (
    <>
      {notationsOf(game).map(({ one, name }) => (
        <a key={one} class="button" download href={`/api/v1/tables/${code}/history/${round}.${one}`}>
          {name}
        </a>
      ))}
    </>
  );
}

async function playedRound(code: string, round: number): Promise<Found | "removed"> {
  try {
    const [played] = await Promise.all([get<PlayedRound>(`/tables/${code}/history/${round}`), loadOffered()]);
    return { played, room: await roomOf(played.game) };
  } catch (error) {
    if (error instanceof Refusal && error.code === "log_removed") return "removed";
    throw error;
  }
}
