import { Card, CardPlace } from "../../../art/Card.tsx";
import { t } from "../../../i18n/index.ts";
import { money } from "../money.ts";
import type { PokerState, PokerView } from "../types.ts";
import { Amount } from "./Amount.tsx";
import { potPoints, type Places } from "./place.ts";
import { resultLines } from "./results.ts";
import { at } from "./point.ts";

/** The pots that lie in the middle: what was bet on this street still lies before the players. */
export function potsOf(state: PokerState): number[] {
  const collected = state.pots.map((pot) => pot.amount);
  if (collected.length) return collected;
  const dead = state.pot - state.players.reduce((sum, player) => sum + player.bet, 0);
  return dead > 0 ? [dead] : [];
}

export function Pots({ view, places }: { view: PokerView; places: Places }) {
  const { state } = view;
  const big = state.blinds[1];
  const pots = potsOf(state);
  // While pots are paid one after another, those that are left stay where they lie.
  const count = state.result ? Math.max(pots.length, state.result.pots.length) : pots.length;
  const points = potPoints(places.shape, count);
  const betting = state.pot > 0 && pots.length !== 1 ? true : state.pot !== (pots[0] ?? 0);
  return (
    <div class={count > 3 ? "pots many" : "pots"} role="group" aria-label={t("poker.sidePots")}>
      {pots.map((amount, index) => {
        const name = count === 1 ? t("poker.pot") : index ? t("poker.side", { n: index }) : t("poker.main");
        return <Amount key={`${index} ${count} ${amount}`} spot={`pot-${index}`} at={points[index] ?? places.pot} amount={amount} big={big} class="pot" label={name} />;
      })}
      {state.pot > 0 && betting && (
        <span key={state.pot} class="at total" data-spot="total" data-amount={state.pot} style={at(places.total)}>
          {t("poker.total")} <b>{money(state.pot, big)}</b>
        </span>
      )}
      {state.pot === 0 && !state.result && (
        <span class="at total quiet" style={at(places.total)}>
          {t("poker.blinds", { blinds: state.blinds.join("/") })}
          {state.ante > 0 && ` (${state.ante})`}
        </span>
      )}
    </div>
  );
}

export function Board({ view, places, winning }: { view: PokerView; places: Places; winning: Set<string> | null }) {
  const { board } = view.state;
  return (
    <div class="board" data-spot="board" role="group" aria-label={t("poker.board")}>
      {places.board.map((point, index) => {
        const card = board[index];
        return (
          <span key={index} class="at slot" data-spot={`board-${index}`} data-card={card} style={at(point)}>
            {card ? <Card card={card} dim={winning !== null && !winning.has(card)} raised={winning?.has(card)} /> : <CardPlace />}
          </span>
        );
      })}
    </div>
  );
}

/** Who won how much of which pot with what, over the cloth. */
export function Words({ view, places }: { view: PokerView; places: Places }) {
  const lines = resultLines(view);
  if (!lines.length) return null;
  return (
    <div key={lines.join()} class={lines.length > 1 ? "at result many" : "at result"} data-spot="result" style={at(places.result)}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
