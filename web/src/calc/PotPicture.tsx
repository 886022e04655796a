import { useState } from "preact/hooks";
import type { PotShare } from "../api/types.ts";
import { num, t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";

interface Props {
  stakes: number[];
  folded: boolean[];
  pots: PotShare[];
}

/** The stakes as columns; each step shows the layer that becomes the next pot, and who may win it. */
export function PotPicture({ stakes, folded, pots }: Props) {
  const [step, setStep] = useState(0);
  const levels = layers(stakes, pots);
  const highest = Math.max(1, ...stakes);
  const pot = pots[step];
  return (
    <div class="pot-picture">
      <div class="columns" role="img" aria-label={pot ? words(pot, step) : ""}>
        {stakes.map((stake, seat) => (
          <div key={seat} class={folded[seat] ? "column folded" : "column"}>
            <div class="pile" style={{ height: `${(100 * stake) / highest}%` }}>
              {levels.map(([from, to], index) => {
                const part = Math.min(stake, to) - Math.min(stake, from);
                return part > 0 ? <i key={index} class={`layer tone-${index % 6}${index === step ? " now" : index < step ? " done" : ""}`} style={{ height: `${(100 * part) / stake}%` }} /> : null;
              })}
            </div>
            <small>{seat + 1}</small>
          </div>
        ))}
      </div>
      <ol class="pot-steps">
        {pots.map((one, index) => (
          <li key={index}>
            <button type="button" class={index === step ? "pot-step on" : "pot-step"} aria-pressed={index === step} onClick={() => setStep(index)}>
              <i class={`pot-swatch tone-${index % 6}`} />
              <span class="grow">{words(one, index)}</span>
            </button>
          </li>
        ))}
      </ol>
      <div class="steps">
        <button type="button" class="icon-button" aria-label={t("step.prev")} disabled={step === 0} onClick={() => setStep(step - 1)}>
          <Icon name="prev" />
        </button>
        <button type="button" class="icon-button" aria-label={t("step.next")} disabled={step >= pots.length - 1} onClick={() => setStep(step + 1)}>
          <Icon name="next" />
        </button>
      </div>
    </div>
  );
}

function words(pot: PotShare, index: number): string {
  const name = index ? t("poker.side", { n: index }) : t("poker.main");
  const players = pot.seats.map((seat) => seat + 1).join(", ");
  return `${name}: ${num(pot.amount)} – ${t("calc.mayWin", { players })}`;
}

/** From which stake to which each pot reaches: it ends where the smallest of its players has no more. */
function layers(stakes: number[], pots: PotShare[]): [number, number][] {
  let from = 0;
  return pots.map((pot, index) => {
    const least = Math.min(...pot.seats.map((seat) => stakes[seat] ?? 0));
    const to = index === pots.length - 1 ? Math.max(...stakes) : least;
    const layer: [number, number] = [from, to];
    from = to;
    return layer;
  });
}
