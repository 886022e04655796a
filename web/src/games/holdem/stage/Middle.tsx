import { Card, CardPlace } from "../../../art/Card.tsx";
import { num, t } from "../../../i18n/index.ts";
import { money } from "../money.ts";
import type { PokerState, PokerView } from "../types.ts";
import { Amount } from "./Amount.tsx";
import { boardRows, overRows, potPoints, type Places } from "./place.ts";
import { potName, resultLines } from "./results.ts";
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
    <div class={`pots ${count > 3 ? "many" : count > 1 ? "some" : "single"}${betting ? " betting" : ""}`} role="group" aria-label={t("poker.sidePots")}>
      {pots.map((amount, index) => {
        const name = count === 1 ? t("poker.pot") : potName(index, count);
        return <Amount key={`${index} ${count} ${amount} ${betting}`} spot={`pot-${index}`} at={points[index] ?? places.pot} amount={amount} big={big} class="pot" label={name} several={count > 1} />;
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

interface BoardProps {
  view: PokerView;
  places: Places;
  winning: Set<string> | null;
}

/** The board, or several of them, one below the other; cards that somebody wished to see after the hand lie where they would have come. */
export function Board({ view, places, winning }: BoardProps) {
  const { board, boards = [board], game, rabbit } = view.state;
  const count = Math.max(boards.length, game?.boards ?? 1);
  if (count === 1) return <Cards label={t("poker.board")} spot="board" cards={board} hunted={rabbit?.boards[0]} points={places.board} winning={winning} />;
  const { card, points } = boardRows(places.shape, count);
  return (
    <div key={count} class="boards" style={{ "--board-card": card }}>
      {points.map((row, index) => (
        <Cards
          key={index}
          label={t("poker.boardN", { n: num(index + 1) })}
          spot={index ? `board-${index}` : "board"}
          cards={boards[index] ?? []}
          hunted={rabbit?.boards[index]}
          points={row}
          winning={winning}
        />
      ))}
    </div>
  );
}

interface CardsProps {
  label: string;
  spot: string;
  cards: string[];
  hunted: string[] | undefined;
  points: Places["board"];
  winning: Set<string> | null;
}

function Cards({ label, spot, cards, hunted, points, winning }: CardsProps) {
  return (
    <div class="community" data-spot={spot} role="group" aria-label={label}>
      {points.map((point, index) => {
        const card = cards[index];
        const rabbit = hunted?.[index - cards.length];
        return (
          <span key={index} class={rabbit ? "at slot rabbit" : "at slot"} data-spot={`${spot}-${index}`} data-card={card} data-rabbit={rabbit} style={at(point)}>
            {card ? <Card card={card} dim={winning !== null && !winning.has(card)} raised={winning?.has(card)} /> : rabbit ? <Card card={rabbit} /> : <CardPlace />}
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
  // Several boards take the room below the first: the words then lie over them, where the pots were.
  const above = (view.state.boards?.length ?? 1) > 1;
  const look = `at result${lines.length > 1 ? " many" : ""}${above ? " above" : ""}`;
  return (
    <div key={lines.join()} class={look} data-spot="result" style={at(above ? overRows(places.shape) : places.result)}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
