import type { Settings } from "../../api/types.ts";
import { houseChess } from "../../app/prefs.ts";
import { num, t, type Key } from "../../i18n/index.ts";
import { Choice } from "../../ui/Field.tsx";
import type { HouseChoiceProps } from "../game.ts";
import { offeredGame } from "../offered.ts";
import { fittingStyles, isLevel, USUAL_LEVEL } from "./levels.ts";
import { PieceArt } from "./PieceArt.tsx";
import "../../styles/chess-board.css";
import "../../styles/chess-look.css";

const CLOCKS: Readonly<Record<string, Settings>> = {
  "3+2": { minutes: 3, increment: 2 },
  "10+5": { minutes: 10, increment: 5 },
  "30+20": { minutes: 30, increment: 20 },
  none: { untimed: true },
};
/** The first seat is one's own, so its colour is one's colour. */
const SIDES = ["white", "random", "black"] as const;

/** A game against the house in three taps: a level, a clock, and a colour, which starts it. Level and clock are remembered. */
export function HouseChoice({ busy, onPlay }: HouseChoiceProps) {
  const { bots = [], ratings = {} } = offeredGame("chess") ?? {};
  const names = fittingStyles(bots, "standard");
  const [level, clock] = choiceOf(houseChess.value, names);
  const levels = names.map((name) => [name, isLevel(name) ? name.slice("level".length) : t(`style.${name}` as Key)] as const);
  const rating = ratings[level];
  const clocks = Object.keys(CLOCKS).map((name) => [name, name === "none" ? t("versus.noClock") : name.replace("+", " + ")] as const);
  const keep = (newLevel: string, newClock: string) => (houseChess.value = `${newLevel} ${newClock}`);
  return (
    <div class="house-choice" role="group" aria-label={t("versus.title")}>
      <Choice label={t("versus.level")} value={level} options={levels} onChange={(chosen) => keep(chosen, clock)} />
      {rating !== undefined && <p class="muted">{t("versus.rating", { rating: num(rating) })}</p>}
      <Choice label={t("versus.clock")} value={clock} options={clocks} onChange={(chosen) => keep(level, chosen)} />
      <div class="house-colours">
        {SIDES.map((side) => (
          <button key={side} type="button" class="button" disabled={busy} onClick={() => onPlay({ private: true, side, ...CLOCKS[clock] }, level)}>
            {side === "random" ? (
              <span class="both">
                <PieceArt piece="K" white />
                <PieceArt piece="K" white={false} />
              </span>
            ) : (
              <PieceArt piece="K" white={side === "white"} />
            )}
            {t(`versus.${side}` as Key)}
          </button>
        ))}
      </div>
    </div>
  );
}

/** What was played last, as far as it still exists. */
function choiceOf(kept: string, levels: readonly string[]): [level: string, clock: string] {
  const [level = "", clock = ""] = kept.split(" ");
  const usual = levels.includes(USUAL_LEVEL) ? USUAL_LEVEL : "medium";
  return [levels.includes(level) ? level : usual, clock in CLOCKS ? clock : "10+5"];
}
