import { num, t, tryT } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import { resultLines } from "./stage/results.ts";
import type { PokerView } from "./types.ts";
import { cardNames, handNotes, worthOf } from "./words.ts";

/** The whole table in words, for screen readers and small terminals. */
export function TextTable({ table, view }: { table: TableStore; view: PokerView }) {
  const { state } = view;
  const boards = state.boards ?? [state.board];
  const notes = handNotes(state, view.settings.choice);
  return (
    <div class="text-table">
      <p>
        {t("text.hand", { n: num(state.hand), blinds: state.blinds.join("/") })}
        {state.street && ` · ${tryT(`street.${state.street}`, state.street)}`}
      </p>
      {notes.length > 0 && <p>{notes.join(" · ")}</p>}
      {boards.map((board, index) => (
        <p key={index}>
          {boards.length > 1 ? t("poker.boardN", { n: num(index + 1) }) : t("poker.board")}: {board.length ? cardNames(board) : t("text.noBoard")}
          {state.rabbit?.boards[index] && ` (${t("note.rabbit", { cards: cardNames(state.rabbit.boards[index]) })})`}
        </p>
      ))}
      {state.result ? (
        resultLines(view).map((line) => (
          <p key={line} class="text-result">
            {line}
          </p>
        ))
      ) : (
        <p>
          {t("poker.pot")}: {num(state.pot)}
          {state.pots.length > 1 && ` (${state.pots.map((pot) => num(pot.amount)).join(" + ")})`}
        </p>
      )}
      {view.private && view.private.cards.length > 0 && (
        <p>
          {t("poker.yours")}: {cardNames(view.private.cards)}
          {view.private.made && ` – ${worthOf(view.private)}`}
        </p>
      )}
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t("poker.seats")}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{t("text.seat")}</th>
              <th scope="col">{t("text.stack")}</th>
              <th scope="col">{t("text.betHead")}</th>
              <th scope="col">{t("text.status")}</th>
            </tr>
          </thead>
          <tbody>
            {state.players.map((player) => (
              <tr key={player.seat}>
                <th scope="row">
                  {player.seat + 1}. {table.seatName(player.seat)}
                  {state.button === player.seat && ` (${t("text.button")})`}
                </th>
                <td>{num(player.stack)}</td>
                <td>{num(player.bet)}</td>
                <td>
                  {state.actor === player.seat ? t("text.acting") : tryT(`pod.${player.status}`, player.status)}
                  {player.cards?.length ? ` · ${cardNames(player.cards)}` : ""}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
