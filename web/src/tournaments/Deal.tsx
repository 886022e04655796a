import { useState } from "preact/hooks";
import { num, t } from "../i18n/index.ts";
import { Dialog } from "../ui/Dialog.tsx";
import type { TournamentStore } from "./store.ts";
import type { DealView, TournamentView } from "./types.ts";
import { entryName, entryOf } from "./words.ts";

interface Props {
  tournament: TournamentStore;
  view: TournamentView;
}

type Kind = DealView["kind"];

/** A deal at the final table: what is proposed, who has agreed, and one's own word on it. */
export function DealPanel({ tournament, view }: Props) {
  const [open, setOpen] = useState(false);
  const can = view.you?.can.includes("deal") ?? false;
  const { deal } = view;
  if (view.status === "finished" || (!can && !deal)) return null;
  return (
    <section class="panel accent" aria-labelledby="tour-deal">
      <h2 id="tour-deal">{t("tour.deal")}</h2>
      <p>{deal ? t("tour.deal.open", { kind: t(`tour.deal.${deal.kind}`), n: num(deal.agreed.length), all: num(view.players_left) }) : t("tour.deal.none")}</p>
      <button type="button" class="button primary lone" onClick={() => setOpen(true)}>
        {t(deal ? "tour.deal.look" : "tour.deal.propose")}
      </button>
      {open && <DealDialog tournament={tournament} view={view} onClose={() => setOpen(false)} />}
    </section>
  );
}

export function DealDialog({ tournament, view, onClose }: Props & { onClose(): void }) {
  const { deal } = view;
  const own = view.you?.entry ?? null;
  const can = view.you?.can.includes("deal") ?? false;
  const agreed = own !== null && (deal?.agreed.includes(own) ?? false);
  // The shares are known when the hand is over.
  const open = deal !== null && Object.keys(deal.shares).length > 0;
  const vote = (kind: Kind, agree: boolean) => () => void tournament.ask("POST", "/deal", { kind, agree });
  return (
    <Dialog title={t("tour.deal")} onClose={onClose}>
      <p>{t("tour.deal.hint")}</p>
      {deal && !open && <p class="notice">{t("tour.deal.wait")}</p>}
      {deal && open && (
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{t("tour.player")}</th>
              <th scope="col">{t("tour.chips")}</th>
              <th scope="col">{t(`tour.deal.${deal.kind}`)}</th>
              <th scope="col">{t("tour.deal.agreed")}</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(deal.shares)
              .toSorted(([, one], [, two]) => two - one)
              .map(([key, share]) => (
                <tr key={key} class={Number(key) === own ? "own" : ""}>
                  <th scope="row">{entryName(view, Number(key))}</th>
                  <td>{num(entryOf(view, Number(key))?.chips ?? 0)}</td>
                  <td>{num(share)}</td>
                  <td>{deal.agreed.includes(Number(key)) ? t("tour.yes") : "–"}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {can && deal && open && (
        <div class="button-grid">
          {!agreed && (
            <button type="button" class="button primary" onClick={vote(deal.kind, true)}>
              {t("tour.deal.agree")}
            </button>
          )}
          <button type="button" class="button" onClick={vote(deal.kind, false)}>
            {t("tour.deal.no")}
          </button>
        </div>
      )}
      {can && !deal && (
        <div class="button-grid">
          {(["chips", "icm"] as const).map((kind) => (
            <button key={kind} type="button" class="button" onClick={vote(kind, true)}>
              {t(kind === "chips" ? "tour.deal.byChips" : "tour.deal.byIcm")}
            </button>
          ))}
        </div>
      )}
    </Dialog>
  );
}
