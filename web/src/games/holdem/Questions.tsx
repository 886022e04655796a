import { useEffect, useState } from "preact/hooks";
import { num, t } from "../../i18n/index.ts";
import type { TableStore } from "../../table/store.ts";
import type { PokerPlayer, PokerView } from "./types.ts";
import { useSettled } from "./useSettled.ts";
import { playedName } from "./words.ts";

interface Props {
  table: TableStore;
  view: PokerView;
}

/** Everybody is all-in: how often the rest of the board is to be dealt. The fewest times that anybody names count. */
export function RunQuestion({ table, view }: Props) {
  const { run } = view.state;
  const settled = useSettled(`run ${view.state.hand}`);
  if (!run) return null;
  const times = Array.from({ length: run.most }, (_, index) => index + 1);
  const answered = Object.entries(run.answers).map(([seat, n]) => t("run.answered", { name: table.seatName(Number(seat)), n }));
  return (
    <div class="between question" role="group" aria-label={t("run.ask")}>
      <p class="bar-words">
        <span>
          {t("run.ask")} {answered.join(", ")} <Countdown until={run.until} now={() => table.now()} />
        </span>
      </p>
      <div class="between-buttons">
        {times.map((n) => (
          <button key={n} type="button" class={n === 2 ? "button primary" : "button"} aria-disabled={!settled} onClick={() => settled && void table.act({ type: "run", times: n })}>
            {t(n === 1 ? "run.once" : n === 2 ? "run.twice" : "run.thrice")}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Dealer's choice: the player who has the button next says what is played. */
export function GameQuestion({ table, view }: Props) {
  const { choice, hand, game } = view.state;
  const settled = useSettled(`choose ${hand}`);
  if (!choice) return null;
  return (
    <div class="between question" role="group" aria-label={t("choose.ask")}>
      <p class="bar-words">
        <span>
          {t("choose.ask")} <Countdown until={choice.until} now={() => table.now()} />
        </span>
      </p>
      <div class="between-buttons games">
        {choice.games.map(([variant, limit]) => {
          const now = game?.variant === variant && game.limit === limit;
          return (
            <button
              key={`${variant} ${limit}`}
              type="button"
              class={now ? "button primary" : "button"}
              aria-disabled={!settled}
              onClick={() => settled && void table.act({ type: "choose", variant, limit })}
            >
              {playedName({ variant, limit })}
            </button>
          );
        })}
      </div>
    </div>
  );
}

function Countdown({ until, now }: { until: number | null; now(): number }) {
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setTime(now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  if (until === null) return null;
  return (
    <b class="countdown" role="timer" aria-live="off">
      {t("run.seconds", { n: num(Math.max(0, Math.ceil((until - time) / 1000))) })}
    </b>
  );
}

/** What a player may wish for at any time between decisions: straddle, a bomb pot, the cards that would have come; the host a bomb pot at any time. */
export function Wishes({ table, view, player: { seat, sitting_out: out } }: Props & { player: PokerPlayer }) {
  const options = new Set(view.you?.options ?? []);
  const { next } = view.state;
  const wishes: { name: string; text: string; on?: boolean; act: { type: string; on?: boolean } }[] = [];
  if (options.has("straddle") && !out) {
    const on = next?.straddlers?.includes(seat) ?? false;
    wishes.push({ name: "straddle", text: t("wish.straddle"), on, act: { type: "straddle", on: !on } });
  }
  if (options.has("bomb")) {
    const on = next?.bombs?.includes(seat) || (Boolean(view.you?.host) && Boolean(next?.bomb));
    wishes.push({ name: "bomb", text: next?.bombs?.length ? t("wish.bombs", { n: num(next.bombs.length) }) : t("wish.bomb"), on, act: { type: "bomb", on: !on } });
  }
  if (options.has("rabbit") && !out) wishes.push({ name: "rabbit", text: t("wish.rabbit"), act: { type: "rabbit" } });
  if (!wishes.length) return null;
  return (
    <div class="wishes" role="group" aria-label={t("wish.label")}>
      {wishes.map(({ name, text, on, act }) => (
        <button key={name} type="button" class={on ? "button wish on" : "button wish"} aria-pressed={on} onClick={() => void table.act(act)}>
          {text}
        </button>
      ))}
    </div>
  );
}
