import type { RoundLine } from "../../api/types.ts";
import { boardTheme } from "../../app/prefs.ts";
import { whereAndWhen } from "../../history/PlainLine.tsx";
import { t } from "../../i18n/index.ts";
import { gameTitle } from "../../lobby/describe.ts";
import { PieceArt } from "./PieceArt.tsx";
import { boardOf } from "./position.ts";
import { gameSummary, scoreOf, type GameSummary } from "./summary.ts";
import type { Colour } from "./types.ts";
import { ending } from "./words.ts";
import "../../styles/chess-board.css";

/** A game in a list: the position at its end, who played, and how it ended. */
export function GameLine({ line }: { line: RoundLine }) {
  const summary = gameSummary(line);
  if (!summary) return null;
  const name = (colour: Colour) => line.names[String(summary[colour])] ?? t(`chess.${colour}`);
  const variant = summary.variant === "standard" ? "" : gameTitle(line.game, { variant: summary.variant });
  const facts = [variant, clock(summary), summary.rated ? t("round.rated") : "", t("round.moves", { n: Math.ceil(summary.plies / 2) })];
  const result = line.you?.seats.length === 1 ? line.you.result : null;
  return (
    <>
      <MiniBoard fen={summary.fen} turned={result !== null && line.you?.seats[0] === summary.black} />
      <span class="round-words">
        <b class="ellipsis">{t("picture.game", { white: name("white"), black: name("black") })}</b>
        <small>{ending(summary.winner, summary.reason, { name: summary.winner ? name(summary.winner) : "", variant: summary.variant })}</small>
        {summary.opening && <small>{summary.opening}</small>}
        <small>{`${facts.filter(Boolean).join(" · ")} · ${whereAndWhen(line)}`}</small>
      </span>
      <span class="round-figures">
        <b class={result === "won" ? "gain" : result === "lost" ? "loss" : ""}>{scoreOf(summary)}</b>
      </span>
    </>
  );
}

/** '5+3' from the seconds of a PGN; '3 days' for correspondence. */
function clock({ time_control: control }: GameSummary): string {
  const [, days] = /^1\/(\d+)$/.exec(control) ?? [];
  if (days) return t("chess.days", { n: Number(days) / 86_400 });
  const [, seconds, more = "0"] = /^(\d+)(?:\+(\d+))?$/.exec(control) ?? [];
  return seconds ? `${Number(seconds) / 60}+${more}` : "";
}

function MiniBoard({ fen, turned }: { fen: string; turned: boolean }) {
  const place = (square: string) => {
    const [file, rank] = ["abcdefgh".indexOf(square.charAt(0)), Number(square.charAt(1)) - 1];
    return { left: `${12.5 * (turned ? 7 - file : file)}%`, top: `${12.5 * (turned ? rank : 7 - rank)}%` };
  };
  return (
    <span class={`mini-board board-${boardTheme.value}`} aria-hidden="true">
      {[...boardOf(fen)].map(([square, piece]) => (
        <span key={square} style={place(square)}>
          <PieceArt piece={piece} white={piece === piece.toUpperCase()} />
        </span>
      ))}
    </span>
  );
}
