import { useEffect, useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { PlacedHand, ShowdownAnswer } from "../api/types.ts";
import { attempt } from "../app/session.ts";
import { num, t } from "../i18n/index.ts";
import { Card } from "../art/Card.tsx";
import { madeName } from "../games/holdem/words.ts";
import { Icon } from "../ui/Icon.tsx";

interface Player {
  cards: string;
  stake: number;
  folded: boolean;
}

interface Spot {
  board: string;
  players: Player[];
}

const DECK = Array.from("23456789TJQKA").flatMap((rank) => Array.from("cdhs", (suit) => rank + suit));
const STAKES = [25, 50, 75, 100, 150, 200, 300, 400];

/** A random whole number below the given one. */
const below = (most: number) => Math.floor((most * (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)) / 2 ** 32);

/** A board and two cards and a stake for each of so many players. */
function deal(players: number): Spot {
  const deck = [...DECK];
  const take = (count: number) => Array.from({ length: count }, () => deck.splice(below(deck.length), 1)[0]).join(" ");
  return { board: take(5), players: Array.from({ length: players }, () => ({ cards: take(2), stake: STAKES[below(STAKES.length)] ?? 100, folded: false })) };
}

/** Several hands on one board: what each holds, its place, and who wins which pot. */
export function Showdown() {
  const [spot, setSpot] = useState(() => deal(5));
  const [shown, setShown] = useState<{ spot: Spot; answer: ShowdownAnswer } | null>(null);
  const { board, players } = spot;
  const ask = async (asked: Spot) => {
    const answer = await attempt(() =>
      post<ShowdownAnswer>("/showdown", {
        board: asked.board,
        hands: asked.players.map((player) => (player.folded ? null : player.cards)),
        stakes: asked.players.map((player) => player.stake),
        button: asked.players.length - 1,
      }),
    );
    if (answer) setShown({ spot: asked, answer });
  };
  const dealAgain = () => {
    const dealt = deal(players.length);
    setSpot(dealt);
    void ask(dealt);
  };
  useEffect(() => void ask(spot), []);
  const change = (index: number, part: Partial<Player>) => setSpot({ board, players: players.map((old, at) => (at === index ? { ...old, ...part } : old)) });
  const add = () => {
    const used = new Set([board, ...players.map((player) => player.cards)].join(" ").split(/\s+/));
    const left = DECK.filter((card) => !used.has(card));
    const cards = [0, 1].map(() => left.splice(below(left.length), 1)[0]).join(" ");
    setSpot({ board, players: [...players, { cards, stake: 100, folded: false }] });
  };
  return (
    <section class="panel" aria-labelledby="showdown">
      <h2 id="showdown">{t("calc.showdown")}</h2>
      <p class="muted">{t("calc.showdown.hint")}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(spot);
        }}
      >
        <label class="field">
          <span>{t("calc.board")}</span>
          <input type="text" autocomplete="off" spellcheck={false} value={board} onInput={(event) => setSpot({ board: event.currentTarget.value, players })} />
        </label>
        <ul class="stake-rows">
          {players.map((player, index) => (
            <li key={index} class="row">
              <span class="player-number">{index + 1}.</span>
              <input class="hole" type="text" autocomplete="off" spellcheck={false} aria-label={t("calc.cardsOf", { n: index + 1 })} value={player.cards} disabled={player.folded} onInput={(event) => change(index, { cards: event.currentTarget.value })} />
              <input class="stake" type="number" inputMode="numeric" min={0} max={1e12} aria-label={t("calc.stake", { n: index + 1 })} value={player.stake} onInput={(event) => change(index, { stake: Math.max(0, Math.floor(Number(event.currentTarget.value))) })} />
              <label class="check">
                <input type="checkbox" checked={player.folded} onChange={(event) => change(index, { folded: event.currentTarget.checked })} />
                {t("pod.folded")}
              </label>
              <button type="button" class="icon-button" aria-label={t("calc.remove", { n: index + 1 })} disabled={players.length < 3} onClick={() => setSpot({ board, players: players.filter((_, at) => at !== index) })}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <div class="row wrap">
          <button type="button" class="button" disabled={players.length >= 10} onClick={add}>
            {t("calc.addPlayer")}
          </button>
          <button type="button" class="button" onClick={dealAgain}>
            {t("calc.deal")}
          </button>
          <button class="button primary">{t("calc.settle")}</button>
        </div>
      </form>
      {shown && <Outcome {...shown} />}
    </section>
  );
}

function Outcome({ spot, answer }: { spot: Spot; answer: ShowdownAnswer }) {
  const seats = spot.players.map((player, seat) => ({ player, seat }));
  const placed = (seat: number) => answer.hands[seat]?.place ?? seats.length + 1;
  const order = seats.sort((one, other) => placed(one.seat) - placed(other.seat));
  return (
    <div class="outcome" role="status">
      <div class="found-cards">
        {cardsOf(spot.board).map((card) => (
          <Card key={card} card={card} />
        ))}
      </div>
      <ol class="placings">
        {order.map(({ player, seat }) => (
          <li key={seat} class={answer.payouts[seat] ? "placing won" : "placing"}>
            <Placing player={player} seat={seat} hand={answer.hands[seat] ?? null} gets={answer.payouts[seat] ?? 0} />
          </li>
        ))}
      </ol>
      <ul class="pots-paid">
        {answer.pots.map((pot, index) => (
          <li key={index}>
            <b>
              {index ? t("poker.side", { n: index }) : t("poker.main")}: {num(pot.amount)}
            </b>{" "}
            {pot.winners?.map((seat, at) => t("calc.wins", { n: seat + 1, amount: num(pot.shares?.[at] ?? 0) })).join(", ")}
          </li>
        ))}
        {answer.returned && <li>{t("calc.returned", { amount: num(answer.returned.amount), n: answer.returned.seat + 1 })}</li>}
      </ul>
      <p class="muted small">{t("calc.legacy.hint")}</p>
    </div>
  );
}

function Placing({ player, seat, hand, gets }: { player: Player; seat: number; hand: PlacedHand | null; gets: number }) {
  return (
    <>
      <span class="place">{hand ? num(hand.place) : "–"}</span>
      <span class="hole-cards">
        {cardsOf(player.cards).map((card) => (
          <Card key={card} card={card} dim={player.folded || (hand !== null && !hand.cards.includes(card))} />
        ))}
      </span>
      <span class="grow">
        <b>{t("calc.player", { n: seat + 1 })}</b>
        <br />
        {player.folded ? t("pod.folded") : madeName(hand?.made)}
      </span>
      <span class="gets">
        <b>{num(gets)}</b>
        <small class="muted">{t("calc.putIn", { amount: num(player.stake) })}</small>
      </span>
      {hand && (
        <small class="muted figures">
          {t("calc.rank")} {num(hand.rank)} · {t("calc.score")} {num(hand.score)} · {t("calc.legacy")} {num(hand.legacy_score)}
        </small>
      )}
    </>
  );
}

/** Plain cards of a text; others, which the server reads as well, are not drawn. */
const cardsOf = (text: string) => text.match(/(?<![^\s,])[2-9TJQKA][cdhs]/g) ?? [];
