import { useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { EquityAnswer } from "../api/types.ts";
import { excuse } from "../app/session.ts";
import { fixed, num, t } from "../i18n/index.ts";
import { Icon } from "../ui/Icon.tsx";
import { RangeGrid } from "./RangeGrid.tsx";

/** How often each hand or range wins, before the cards are out. */
export function Equity() {
  const [hands, setHands] = useState(["AhKh", "QQ"]);
  const [board, setBoard] = useState("");
  const [dead, setDead] = useState("");
  const [answer, setAnswer] = useState<EquityAnswer | null>(null);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const [grid, setGrid] = useState<number | null>(null);
  const change = (index: number, text: string) => {
    setAnswer(null);
    setHands(hands.map((old, at) => (at === index ? text : old)));
  };
  const ask = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFault("");
    setAnswer(null);
    post<EquityAnswer>("/equity", { hands, board, dead })
      .then(setAnswer, (error: unknown) => setFault(excuse(error)))
      .finally(() => setBusy(false));
  };
  return (
    <section class="panel" aria-labelledby="equity">
      <h2 id="equity">{t("calc.equity")}</h2>
      <p class="muted">{t("calc.equity.hint")}</p>
      <form class="stack" onSubmit={ask}>
        <ul class="stake-rows">
          {hands.map((hand, index) => (
            <li key={index} class="equity-row">
              <div class="row">
                <input class="grow" aria-label={t("calc.handOf", { n: index + 1 })} value={hand} autocapitalize="off" spellcheck={false} onInput={(event) => change(index, event.currentTarget.value)} />
                <button type="button" class="button" onClick={() => setGrid(index)}>
                  {t("range.open")}
                </button>
                <button type="button" class="icon-button" aria-label={t("calc.remove", { n: index + 1 })} disabled={hands.length < 3} onClick={() => setHands(hands.filter((_, at) => at !== index))}>
                  <Icon name="close" />
                </button>
              </div>
              <Share share={answer?.players[index]} />
            </li>
          ))}
        </ul>
        <div class="row wrap">
          <input class="grow" aria-label={t("poker.board")} placeholder={`${t("poker.board")}: Ah 7d 2c`} value={board} spellcheck={false} onInput={(event) => setBoard(event.currentTarget.value)} />
          <input class="grow" aria-label={t("calc.dead")} placeholder={t("calc.dead")} value={dead} spellcheck={false} onInput={(event) => setDead(event.currentTarget.value)} />
        </div>
        <div class="row">
          <button type="button" class="button" disabled={hands.length >= 10} onClick={() => setHands([...hands, "random"])}>
            {t("calc.addPlayer")}
          </button>
          <button class="button primary" disabled={busy}>
            {t("calc.count")}
          </button>
        </div>
      </form>
      <div role="status">
        {busy && <progress aria-label={t("loading")} />}
        {fault && <p class="fault">{fault}</p>}
        {answer && (
          <p class="muted">
            {answer.exact ? t("calc.exact", { n: num(answer.boards) }) : t("calc.sampled", { n: num(answer.boards), error: fixed(100 * answer.stderr, 2) })}
          </p>
        )}
      </div>
      {grid !== null && (
        <RangeGrid
          text={hands[grid] ?? ""}
          onClose={() => setGrid(null)}
          onDone={(text) => {
            if (text) change(grid, text);
            setGrid(null);
          }}
        />
      )}
    </section>
  );
}

function Share({ share }: { share: EquityAnswer["players"][number] | undefined }) {
  const percent = (part: number) => `${fixed(100 * part, 2)} %`;
  return (
    <div class="equity-share">
      <div class="share-bar" aria-hidden="true">
        <i style={{ width: `${100 * (share?.equity ?? 0)}%` }} />
      </div>
      {share && (
        <p>
          <b>{percent(share.equity)}</b> <small>{t("calc.winTie", { win: percent(share.win), tie: percent(share.tie) })}</small>
        </p>
      )}
    </div>
  );
}
