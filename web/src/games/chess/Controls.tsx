import { useState } from "preact/hooks";
import { attempt } from "../../app/session.ts";
import { t, type Key } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { Icon } from "../../ui/Icon.tsx";
import { engineKnows, gameRuns } from "./engineRule.ts";
import type { ChessView, Colour } from "./types.ts";

interface Props {
  table: TableStore;
  view: ChessView;
  side: Colour | null;
  analysing: boolean;
  onFlip(): void;
  onAnalyse(): void;
}

/** Offers that wait for an answer stand out; the rest is in reach. */
const ANSWERS = ["accept_draw", "decline_draw", "accept_takeback", "decline_takeback", "accept_rematch", "claim_draw", "claim_win"] as const;
const OFFERS = ["offer_draw", "offer_takeback", "offer_rematch", "abort"] as const;

export function Controls({ table, view, side, analysing, onFlip, onAnalyse }: Props) {
  const [resigning, setResigning] = useState(false);
  const options = new Set(view.you?.options ?? []);
  // The server decides who has been away for long enough; while everybody is here there is nothing to claim.
  if (view.seats.every((seat) => !seat.player || seat.connected)) options.delete("claim_win");
  const seated = view.seats.filter((seat) => seat.player).length;
  const canStart = view.you?.host && view.status === "waiting" && seated > 1;
  const button = (kind: string, primary: boolean) =>
    options.has(kind) && (
      <button key={kind} type="button" class={primary ? "button primary" : "button"} onClick={() => void table.act({ type: kind })}>
        {t(`chess.${kind}` as Key)}
      </button>
    );
  const resign = () => {
    if (!resigning) return setResigning(true);
    setResigning(false);
    void table.act({ type: "resign" });
  };
  return (
    <div class="controls">
      <Offer view={view} side={side} />
      <div class="button-grid">
        {canStart && (
          <button type="button" class="button primary" onClick={() => void attempt(() => table.send({ type: "start" }))}>
            {t("host.start")}
          </button>
        )}
        {ANSWERS.map((kind) => button(kind, true))}
        {OFFERS.map((kind) => button(kind, false))}
        {options.has("resign") && (
          <button type="button" class={resigning ? "button danger" : "button"} onClick={resign} onBlur={() => setResigning(false)}>
            {resigning ? t("chess.resign.sure") : t("chess.resign")}
          </button>
        )}
        <button type="button" class="button" onClick={onFlip}>
          <Icon name="flip" />
          {t("chess.flip")}
        </button>
        {view.state.result !== null && !gameRuns(view) && engineKnows(view.state.variant) ? (
          <button type="button" class="button" aria-pressed={analysing} onClick={onAnalyse}>
            <Icon name="engine" />
            {t("chess.analyse")}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function Offer({ view, side }: { view: ChessView; side: Colour | null }) {
  const { draw_offer: draw, takeback_offer: takeback, rematch_offer: rematch } = view.state;
  const offers: [Colour | null, Key, Key][] = [
    [draw, "offer.draw", "offer.draw.mine"],
    [takeback, "offer.takeback", "offer.takeback.mine"],
    [rematch, "offer.rematch", "offer.rematch.mine"],
  ];
  const standing = offers.find(([by]) => by !== null);
  if (!standing || !side) return null;
  return <p class="notice">{t(standing[0] === side ? standing[2] : standing[1])}</p>;
}
