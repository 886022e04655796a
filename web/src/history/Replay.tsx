import { get } from "../api/http.ts";
import type { PlayedRound } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { t, when } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { useLoaded } from "../ui/useLoaded.ts";
import type { GameRoom } from "../games/game.ts";
import { gameOf, roomOf } from "../games/index.ts";

/** One hand or game, step by step, with a link to share and files to keep. */
export function Replay({ code, round }: { code: string; round: number }) {
  const loaded = useLoaded(() => playedRound(code, round), [code, round]);
  if (!loaded) {
    return (
      <div class="page narrow">
        <h1>{t("history.of", { code })}</h1>
        <p role="status">{loaded === undefined ? t("loading") : t("history.missing")}</p>
      </div>
    );
  }
  const { played, room: { Replay: Steps, exports } } = loaded;
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
      <h1>{t(`history.${gameOf(played.game).round}`, { n: round })}</h1>
      <p class="muted">{when(played.at)}</p>
      <Steps played={played} />
      <div class="row wrap replay-links">
        <a class="button" href={`/history/${code}/${round - 1}`} hidden={round < 2}>
          <Icon name="prev" />
          {t("history.before")}
        </a>
        <button type="button" class="button" onClick={() => void share()}>
          <Icon name="share" />
          {t("history.share")}
        </button>
        {exports.map((ending) => (
          <a key={ending} class="button" download href={`/api/v1/tables/${code}/history/${round}.${ending}`}>
            .{ending}
          </a>
        ))}
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

async function playedRound(code: string, round: number): Promise<{ played: PlayedRound; room: GameRoom }> {
  const played = await get<PlayedRound>(`/tables/${code}/history/${round}`);
  return { played, room: await roomOf(played.game) };
}
