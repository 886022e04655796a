import { get } from "../api/http.ts";
import type { PlayedRound } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { t, when } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import { PokerReplay } from "./PokerReplay.tsx";

const ChessReplay = lazy<{ played: PlayedRound }>(async () => (await import("./ChessReplay.tsx")).ChessReplay);

/** One hand or game, step by step, with a link to share and files to keep. */
export function Replay({ code, round }: { code: string; round: number }) {
  const played = useLoaded(() => get<PlayedRound>(`/tables/${code}/history/${round}`), [code, round]);
  if (!played) {
    return (
      <div class="page narrow">
        <h1>{t("history.of", { code })}</h1>
        <p role="status">{played === undefined ? t("loading") : t("history.missing")}</p>
      </div>
    );
  }
  const chess = played.events.some((event) => event.type === "game_started");
  const suffix = chess ? "pgn" : "phh";
  const share = async () => {
    const link = location.href;
    if (navigator.share) return navigator.share({ url: link }).catch(() => undefined);
    await navigator.clipboard.writeText(link).then(
      () => toast(t("invite.copied")),
      () => toast(link),
    );
  };
  return (
    <div class="page">
      <h1>{t(chess ? "history.game" : "history.hand", { n: round })}</h1>
      <p class="muted">{when(played.at)}</p>
      {chess ? <ChessReplay played={played} /> : <PokerReplay played={played} />}
      <div class="row wrap replay-links">
        <a class="button" href={`/history/${code}/${round - 1}`} hidden={round < 2}>
          <Icon name="prev" />
          {t("history.before")}
        </a>
        <button type="button" class="button" onClick={() => void share()}>
          <Icon name="share" />
          {t("history.share")}
        </button>
        <a class="button" download href={`/api/v1/tables/${code}/history/${round}.${suffix}`}>
          .{suffix}
        </a>
        <a class="button" href={`/history/${code}`}>
          {t("history.all")}
        </a>
        <a class="button" href={`/history/${code}/${round + 1}`}>
          {t("history.after")}
          <Icon name="next" />
        </a>
      </div>
    </div>
  );
}
