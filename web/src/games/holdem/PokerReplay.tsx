import { useMemo, useState } from "preact/hooks";
import type { PlayedRound } from "../../api/types.ts";
import { textTable } from "../../app/prefs.ts";
import { me } from "../../app/session.ts";
import { t } from "../../i18n/index.ts";
import { Stage } from "./stage/Stage.tsx";
import { framesOf } from "./foldPoker.ts";
import { Stepper } from "../../history/Stepper.tsx";

export function PokerReplay({ played }: { played: PlayedRound }) {
  const frames = useMemo(() => framesOf(played), [played]);
  const [at, setAt] = useState(0);
  const frame = frames[at];
  if (!frame) return <p class="empty">{t("history.missing")}</p>;
  const own = Object.entries(played.players).find(([, id]) => id === me.value?.id)?.[0];
  return (
    <div class="replay">
      <div class="replay-table">
        {!textTable.value && (
          <div class="stage-room">
            <Stage view={frame.view} mine={own === undefined ? null : Number(own)} now={Date.now} />
          </div>
        )}
        <Stepper at={at} count={frames.length} onStep={setAt} />
      </div>
      <ol class="replay-lines" aria-label={t("panel.log")}>
        {frames.map((one, index) => (
          <li key={index}>
            <button type="button" class={index === at ? "line on" : "line"} aria-current={index === at ? "step" : undefined} onClick={() => setAt(index)}>
              {one.line}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
