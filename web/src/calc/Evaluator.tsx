import { useEffect, useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { Evaluation } from "../api/types.ts";
import { excuse } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import { Card } from "../art/Card.tsx";
import { madeName } from "../games/holdem/words.ts";
import { CardPicker } from "./CardPicker.tsx";

/** What five to seven cards make. */
export function Evaluator() {
  const [cards, setCards] = useState<string[]>([]);
  const [found, setFound] = useState<Evaluation | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    setFault("");
    if (cards.length < 5) return setFound(null);
    let stale = false;
    post<Evaluation>("/evaluate", { cards: cards.join(" ") }).then(
      (answer) => !stale && setFound(answer),
      (error: unknown) => !stale && setFault(excuse(error)),
    );
    return () => {
      stale = true;
    };
  }, [cards.join()]);
  return (
    <section class="panel" aria-labelledby="evaluator">
      <h2 id="evaluator">{t("calc.hand")}</h2>
      <p class="muted">{t("calc.hand.hint")}</p>
      <CardPicker chosen={cards} most={7} onChange={setCards} />
      <div class="evaluated" role="status">
        <div class="found-cards">
          {cards.map((card) => (
            <Card key={card} card={card} dim={found !== null && !found.cards.includes(card)} />
          ))}
          {!cards.length && <p class="empty">{t("calc.none")}</p>}
        </div>
        {found && (
          <dl class="facts">
            <dt>{t("calc.makes")}</dt>
            <dd>{madeName(found.made)}</dd>
            <dt>{t("calc.rank")}</dt>
            <dd>{t("calc.rankOf", { n: num(found.rank), all: num(7462) })}</dd>
            <dt>{t("calc.score")}</dt>
            <dd>{num(found.score)}</dd>
            <dt>{t("calc.legacy")}</dt>
            <dd>{num(found.legacy_score)}</dd>
          </dl>
        )}
        {fault && <p class="fault">{fault}</p>}
      </div>
      {cards.length > 0 && (
        <button type="button" class="button quiet" onClick={() => setCards([])}>
          {t("calc.clear")}
        </button>
      )}
    </section>
  );
}
