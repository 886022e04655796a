import type { RoundLine } from "../../api/types.ts";
import { Card } from "../../art/Card.tsx";
import { whereAndWhen } from "../../history/PlainLine.tsx";
import { current, listed, t } from "../../i18n/index.ts";
import { gameTitle } from "../../lobby/describe.ts";
import { money, signed } from "./money.ts";
import { boardsOf, handSummary, type HandSummary } from "./summary.ts";
import { kindName } from "./words.ts";

/** A hand in a list: one's own cards, the board, who won with what, and what it cost or brought. */
export function HandLine({ line }: { line: RoundLine }) {
  const summary = handSummary(line);
  if (!summary) return null;
  const [, big] = summary.blinds;
  const net = line.you?.net ?? null;
  const game = [gameTitle(line.game, { variant: summary.variant, limit: summary.limit }), summary.blinds.join("/"), ...(summary.options ?? []).map(optionWord)];
  return (
    <>
      <span class="round-cards">
        <Own line={line} />
        <span class="round-boards">
          {boardsOf(summary).map((board, index) => (
            <span key={index} class="mini-cards">
              {board.map((card) => (
                <Card key={card} card={card} />
              ))}
            </span>
          ))}
        </span>
      </span>
      <span class="round-words">
        <b>{winnerWords(line, summary)}</b>
        <small class="ellipsis">{Object.keys(summary.net).map((seat) => line.names[seat]).join(", ")}</small>
        <small>{`${game.filter(Boolean).join(" · ")} · ${whereAndWhen(line)}`}</small>
      </span>
      <span class="round-figures">
        {net !== null && <b class={net > 0 ? "gain" : net < 0 ? "loss" : ""}>{signed(net, big)}</b>}
        <small>{t("round.pot", { amount: money(summary.pot, big) })}</small>
      </span>
    </>
  );
}

function Own({ line: { you } }: { line: RoundLine }) {
  if (!you?.cards.length) return null;
  return (
    <span class="mini-cards own" style={{ "--count": you.cards.length }}>
      {you.cards.map((card) => (
        <Card key={card} card={card} />
      ))}
    </span>
  );
}

function winnerWords({ names }: RoundLine, { winners, made }: HandSummary): string {
  const name = listed(winners.map((seat) => names[String(seat)] ?? t("seat.n", { n: seat + 1 })));
  const code = made[String(winners[0])];
  const kind = code ? kindName(code) : "";
  const hand = current.value === "de" ? kind : kind.charAt(0).toLowerCase() + kind.slice(1);
  if (!hand) return t(winners.length > 1 ? "round.split" : "round.wins", { name });
  return t(winners.length > 1 ? "round.splitWith" : "round.winsWith", { name, hand });
}

const OPTIONS = { bomb: "round.bomb", runs: "round.runs", boards: "round.boards", straddle: "round.straddle", seven_deuce: "round.sevenDeuce" } as const;

/** What was special about a hand; nothing for what there is no word for. */
function optionWord(option: string): string {
  const key = OPTIONS[option as keyof typeof OPTIONS];
  return key ? t(key) : "";
}
