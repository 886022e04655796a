import { useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { PotsAnswer } from "../api/types.ts";
import { attempt } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { PotPicture } from "./PotPicture.tsx";

interface Row {
  stake: number;
  folded: boolean;
}

const START: Row[] = [
  { stake: 25, folded: false },
  { stake: 60, folded: false },
  { stake: 100, folded: false },
  { stake: 140, folded: false },
];

/** Who can win how much: the money of all players, split into main and side pots step by step. */
export function Pots() {
  const [rows, setRows] = useState(START);
  const [shown, setShown] = useState<(PotsAnswer & { rows: Row[] }) | null>(null);
  const change = (index: number, row: Partial<Row>) => setRows(rows.map((old, at) => (at === index ? { ...old, ...row } : old)));
  const ask = async (event: Event) => {
    event.preventDefault();
    const folded = rows.flatMap((row, index) => (row.folded ? [index] : []));
    const answer = await attempt(() => post<PotsAnswer>("/pots", { stakes: rows.map((row) => row.stake), folded }));
    if (answer) setShown({ rows, ...answer });
  };
  return (
    <section class="panel" aria-labelledby="pots">
      <h2 id="pots">{t("calc.pots")}</h2>
      <p class="muted">{t("calc.pots.hint")}</p>
      <form class="stack" onSubmit={(event) => void ask(event)}>
        <ul class="stake-rows">
          {rows.map((row, index) => (
            <li key={index} class="row">
              <span class="player-number">{index + 1}.</span>
              <input
                class="stake"
                type="number"
                inputMode="numeric"
                min={0}
                max={1e12}
                aria-label={t("calc.stake", { n: index + 1 })}
                value={row.stake}
                onInput={(event) => change(index, { stake: Math.max(0, Math.floor(Number(event.currentTarget.value))) })}
              />
              <label class="check">
                <input type="checkbox" checked={row.folded} onChange={(event) => change(index, { folded: event.currentTarget.checked })} />
                {t("pod.folded")}
              </label>
              <button type="button" class="icon-button" aria-label={t("calc.remove", { n: index + 1 })} disabled={rows.length < 3} onClick={() => setRows(rows.filter((_, at) => at !== index))}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <div class="row">
          <button type="button" class="button" disabled={rows.length >= 10} onClick={() => setRows([...rows, { stake: 50, folded: false }])}>
            {t("calc.addPlayer")}
          </button>
          <button class="button primary">{t("calc.spread")}</button>
        </div>
      </form>
      {shown?.returned && <p class="notice">{t("calc.returned", { amount: num(shown.returned.amount), n: shown.returned.seat + 1 })}</p>}
      {shown && (
        <PotPicture
          key={JSON.stringify(shown)}
          stakes={shown.rows.map((row, seat) => row.stake - (shown.returned?.seat === seat ? shown.returned.amount : 0))}
          folded={shown.rows.map((row) => row.folded)}
          pots={shown.pots}
        />
      )}
    </section>
  );
}
