import { useEffect, useRef, useState } from "preact/hooks";
import type { PlayedRound } from "../api/types.ts";
import type { GameRoom } from "../games/game.ts";
import { t } from "../i18n/index.ts";
import { fontsReady, HEIGHT, WIDTH } from "../picture/canvas.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Switch } from "../ui/Field.tsx";
import { Icon } from "../ui/Icon.tsx";
import { canShare, download, shareFile } from "./share.ts";

export interface PictureProps {
  played: PlayedRound;
  room: GameRoom;
  /** Of the file. */
  name: string;
  onClose(): void;
}

/** A round as a picture, drawn here: no other computer is asked for it. */
export function PictureDialog({ played, room, name, onClose }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [own, setOwn] = useState(false);
  const [alt, setAlt] = useState("");
  const [file, setFile] = useState<File | null>(null);
  useEffect(() => {
    let stale = false;
    const draw = async () => {
      const [picture] = await Promise.all([room.picture?.(played, own), fontsReady()]);
      const paper = canvas.current?.getContext("2d");
      if (stale || !picture || !paper) return;
      picture.draw(paper);
      setAlt(picture.alt);
      const content = await new Promise<Blob | null>((resolve) => paper.canvas.toBlob(resolve, "image/png"));
      if (!stale && content) setFile(new File([content], name, { type: "image/png" }));
    };
    setFile(null);
    void draw();
    return () => void (stale = true);
  }, [own]);
  return (
    <Dialog title={t("picture.title")} onClose={onClose} wide>
      <canvas ref={canvas} class="shared-picture" width={WIDTH} height={HEIGHT} role="img" aria-label={alt || t("loading")} />
      {hides(played) && <Switch label={t("picture.own")} checked={own} onChange={setOwn} />}
      <div class="row wrap">
        <button type="button" class="button primary" disabled={!file} onClick={() => file && download(file, name)}>
          {t("picture.save")}
        </button>
        {file && canShare(file) && (
          <button type="button" class="button" onClick={() => void shareFile(file)}>
            <Icon name="share" />
            {t("history.share")}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** Whether the reader knows cards of their own that the others have not seen. */
function hides({ you, summary }: PlayedRound): boolean {
  const shown = (summary.shown ?? {}) as Record<string, string[]>;
  return (you?.cards.length ?? 0) > 0 && (you?.seats ?? []).some((seat) => !shown[String(seat)]);
}
