import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t, tryT, type Key } from "../../i18n/index.ts";
import { Icon } from "../../ui/Icon.tsx";
import type { ChessState, Colour } from "./types.ts";

/** What one is asked again before it is done; a draw where one person plays both sides, as it ends the game at once. */
export type Question = "resign" | "abort" | "offer_draw";

type Offer = "draw" | "takeback";

/** A move with which the draw is claimed instead of being played, and the ground for it. */
export interface Claiming {
  uci: string;
  /** The move as people write it. */
  move: string;
  claim: string;
}

/** How long it is said that an offer was declined. */
const DECLINED_FOR = 6000;

interface Props {
  state: ChessState;
  side: Colour | null;
  /** What the server lets this person do now. */
  options: ReadonlySet<string>;
  question: Question | null;
  /** The opponent's name. */
  opponent: string;
  /** A move of this person's with which a draw may be claimed before it is made. */
  claiming: Claiming | null;
  /** What is said when nothing waits for an answer; without it, nothing is drawn then. */
  idle?: string | undefined;
  act(type: string, uci?: string): void;
  onQuestion(question: Question | null): void;
}

/** What waits for an answer, one thing at a time, always in the same place: a question, an offer, a claim. */
export function Offers(props: Props) {
  const { state, side } = props;
  const mine: Offer | null = side && !state.result ? (state.draw_offer === side ? "draw" : state.takeback_offer === side ? "takeback" : null) : null;
  const declined = useDeclined(mine, state);
  const said = mine ? t(`offer.${mine}.mine`) : declined && t(`offer.${declined}.declined`);
  const content = waiting(props) ?? (said && { kind: "pending", body: <span>{said}</span> });
  if (content) return <div class={`offers ${content.kind}`}>{content.body}</div>;
  return props.idle === undefined ? null : <p class="offers idle">{props.idle}</p>;
}

/** One's own offer that was declined a moment ago: it is gone, though neither a move nor the end of the game took it away. */
function useDeclined(mine: Offer | null, { game, moves, result }: ChessState): Offer | null {
  const [declined, setDeclined] = useState<Offer | null>(null);
  const place = `${game} ${moves.length} ${result !== null}`;
  const before = useRef({ mine, place });
  useEffect(() => {
    const was = before.current;
    before.current = { mine, place };
    setDeclined(!mine && was.place === place ? was.mine : null);
    const timer = setTimeout(() => setDeclined(null), DECLINED_FOR);
    return () => clearTimeout(timer);
  }, [mine, place]);
  return declined;
}

function waiting({ state, options, question, opponent, claiming, act, onQuestion }: Props): { kind: string; body: ComponentChildren } | null {
  if (question && options.has(question)) {
    const sure = () => {
      onQuestion(null);
      act(question);
    };
    return {
      kind: "question",
      body: (
        <>
          <span>{t(`chess.${question}.question`)}</span>
          <Answer label="chess.no" onClick={() => onQuestion(null)} />
          <Answer label={`chess.${question}.sure`} kind="danger" onClick={sure} autoFocus />
        </>
      ),
    };
  }
  for (const kind of ["draw", "takeback"] as const) {
    if (!options.has(`accept_${kind}`)) continue;
    return {
      kind: "offer",
      body: (
        <>
          <span>{t(`offer.${kind}`, { name: opponent })}</span>
          <Answer label="chess.decline" name={`chess.decline_${kind}`} icon="close" onClick={() => act(`decline_${kind}`)} />
          <Answer label="chess.accept" name={`chess.accept_${kind}`} icon="check" kind="primary" onClick={() => act(`accept_${kind}`)} />
        </>
      ),
    };
  }
  if (options.has("claim_draw") || claiming) {
    const ground = tryT(`claim.${claiming?.claim ?? state.claims[0] ?? ""}`, "");
    return {
      kind: "offer",
      body: (
        <>
          <span>{claiming ? t("claim.with", { claim: ground, move: claiming.move }) : ground}</span>
          <Answer label="chess.claim_draw" kind="primary" onClick={() => act("claim_draw", claiming?.uci)} />
        </>
      ),
    };
  }
  if (options.has("claim_win")) {
    return {
      kind: "offer",
      body: (
        <>
          <span>{t("offer.away", { name: opponent })}</span>
          <Answer label="chess.claim_win" kind="primary" onClick={() => act("claim_win")} />
        </>
      ),
    };
  }
  return null;
}

interface AnswerProps {
  label: Key;
  /** The whole name, where the label alone does not say what is answered. */
  name?: Key;
  icon?: "check" | "close";
  kind?: "primary" | "danger";
  autoFocus?: boolean;
  onClick(): void;
}

function Answer({ label, name, icon, kind, autoFocus, onClick }: AnswerProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (autoFocus) button.current?.focus();
  }, []);
  return (
    <button ref={button} type="button" class={`button small ${kind ?? ""}`} aria-label={name && t(name)} onClick={onClick}>
      {icon && <Icon name={icon} />}
      <span class={icon ? "answer-word" : undefined}>{t(label)}</span>
    </button>
  );
}
