import type { Api } from "chessground/api";
import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../../app/live.ts";
import { textTable } from "../../app/prefs.ts";
import { attempt } from "../../app/session.ts";
import { t } from "../../i18n/index.ts";
import { JoinPanel } from "../../table/JoinPanel.tsx";
import { Notices } from "../../table/Notices.tsx";
import { playedFrom } from "../../table/leavers.ts";
import { PanelTabs } from "../../table/SidePanel.tsx";
import type { TableStore } from "../../table/store.ts";
import { Choice } from "../../ui/Field.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { lazy } from "../../ui/Lazy.tsx";
import { useWide } from "../../ui/useWide.ts";
import type { GameTableProps } from "../game.ts";
import { BoardCard, EndCard } from "./BoardCard.tsx";
import { Controls, type AfterGame } from "./Controls.tsx";
import { score } from "./facts.ts";
import { Ground } from "./Ground.tsx";
import { MoveInput } from "./MoveInput.tsx";
import { MoveList } from "./MoveList.tsx";
import { Offers, type Claiming, type Question } from "./Offers.tsx";
import { ROLES, type InHand } from "./pieces.ts";
import { Facts } from "./Facts.tsx";
import { PlayerBar } from "./PlayerBar.tsx";
import { Pocket } from "./Pocket.tsx";
import { boardOf, placement, pocketOf, positionAt, positionOf, sideAt } from "./position.ts";
import { Promotion } from "./Promotion.tsx";
import { analysisLink } from "./study/links.ts";
import { withLetters } from "./study/notation.ts";
import type { TextBoardProps } from "./TextBoard.tsx";
import { other, seatOf, type ChessView, type Colour } from "./types.ts";
import { useSounds } from "./useSounds.ts";
import { ending } from "./words.ts";
import "../../styles/chess-panel.css";
import "../../styles/chess-table.css";

const TextBoard = lazy<TextBoardProps>(async () => (await import("./TextBoard.tsx")).TextBoard);

/** The chess table: the board between its players, the moves, and what one may do. */
export function ChessTable({ table, onInvite }: GameTableProps) {
  const view = table.view.value as ChessView;
  const { state } = view;
  const wide = useWide();
  const [looking, setLooking] = useState<number | null>(null);
  const [flipped, setFlipped] = useState(false);
  const [drawing, setDrawing] = useState(false);
  const [promoting, setPromoting] = useState<[string, string] | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  /** The game whose card over the board has been closed. */
  const [closed, setClosed] = useState(0);
  const [held, setHeld] = useState<string | null>(null);
  const ground = useRef<Api | null>(null);
  const ply = looking ?? state.moves.length;
  const live = ply === state.moves.length;
  const position = live ? positionOf(state.fen) : positionAt(state.variant, state.start_fen, state.moves, ply);
  const { board } = position;
  const side = sideOf(view);
  const started = state.game > 0 && (state.players.white !== null || state.players.black !== null);
  // Whose seat the tournament has taken back after the game still looks at it from there.
  const near = started ? (side ?? colourAt(view, playedFrom(view))) : seatOf(view, "black") === table.mySeat.value ? "black" : "white";
  // In racing kings both sides run up the same board, and both look at it from White's side.
  const nearest: Colour = near === "black" && !view.settings.same_screen && view.settings.variant !== "racing_kings" ? "black" : "white";
  const bottom: Colour = flipped ? other(nearest) : nearest;
  const drops = new Set(live ? view.legal?.moves.filter((uci) => uci[1] === "@") : []);

  useSounds(state);
  useEffect(() => setQuestion(null), [state.game]);
  useEffect(() => setLooking(null), [state.game, state.moves.length]);
  useEffect(() => {
    setHeld(null);
    setPromoting(null);
  }, [view.turn]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target as Element).closest("input, select, textarea, dialog")) setFlipped((is) => !is);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });

  const alone = (view.you?.seats.length ?? 0) > 1;
  const act = (type: string, uci?: string) => void table.act(uci ? { type, uci } : { type });
  const ask = (type: string) => (type === "resign" || type === "abort" || (type === "offer_draw" && alone) ? setQuestion(type) : act(type));
  const send = (uci: string) => void table.act({ type: "move", uci }, view.turn);
  const move = (from: string, to: string, premove: boolean) => {
    const choices = view.legal?.moves.filter((legal) => legal.startsWith(from + to)) ?? [];
    // There is no time to ask after a premove.
    const chosen = choices.length > 1 && premove ? choices.find((uci) => uci[4] === "q") : choices[0];
    if (choices.length > 1 && !premove) setPromoting([from, to]);
    else if (chosen) send(chosen);
  };
  const drop = (piece: string, square: string) => {
    setHeld(null);
    if (drops.has(`${piece}@${square}`)) send(`${piece}@${square}`);
    else say(t("chess.notLegal", { move: `${piece}@${square}` }));
  };
  const pocket = (colour: Colour) => {
    const pieces = pocketOf(position, colour === "white");
    if (!pieces) return undefined;
    const mine = live && colour === side && colour === state.turn;
    const drag = (piece: string, event: MouseEvent | TouchEvent) => {
      ground.current?.dragNewPiece({ role: ROLES[piece as InHand], color: colour }, event);
    };
    const droppable = new Set(mine ? [...drops].map((uci) => uci.charAt(0)) : []);
    return <Pocket white={colour === "white"} pieces={pieces} droppable={droppable} held={mine ? held : null} onHold={setHeld} onDrag={drag} />;
  };

  const options = new Set(view.you?.options ?? []);
  // The server decides who has been away for long enough; while everybody is here there is nothing to claim.
  if (view.seats.every((seat) => !seat.player || seat.connected)) options.delete("claim_win");
  const nameOf = (colour: Colour) => {
    const seat = state.players[colour];
    return seat === null || alone ? t(`chess.${colour}`) : table.seatName(seat);
  };
  const opponent = side ? nameOf(other(side)) : "";
  const over = state.result !== null && view.status !== "playing";
  const after: AfterGame[] = [];
  if (over) {
    if (side && !view.tournament) after.push(rematch(view, side, options, act));
    after.push({ id: "analysis", icon: "engine", label: t("chess.analyse"), href: analysisLink({ variant: state.variant, start: state.start_fen, moves: state.moves }) });
    after.push(view.tournament ? { id: "new", icon: "people", label: t("tour.back"), href: `/tournament/${view.tournament}` } : { id: "new", icon: "plus", label: t("chess.newGame"), href: "/" });
  }
  const card = over && closed !== state.game && live;
  const offers = (idle?: string) => (
    <Offers state={state} side={side} options={options} question={question} opponent={opponent} claiming={claimingOf(view)} idle={idle} act={act} onQuestion={setQuestion} />
  );
  const bar = (colour: Colour, place: string) => (
    <PlayerBar table={table} view={view} colour={colour} board={board} place={place} own={colour === side} pocket={pocket(colour)}>
      {place === "bottom" && !wide && offers()}
    </PlayerBar>
  );
  return (
    <div class="chess-room">
      <section class={`chess-table${pocketOf(position, true) ? " with-pockets" : ""}`} aria-label={t("chess.label")} data-turn={state.turn} data-seq={view.seq}>
        {bar(other(bottom), "top")}
        <div class="board-frame">
          {textTable.value ? (
            <TextBoard board={board} orientation={bottom} />
          ) : (
            <Ground
              placement={live ? (state.fen.split(" ")[0] ?? placement(board)) : placement(board)}
              orientation={bottom}
              turn={live ? state.turn : sideAt(state.start_fen, ply)}
              lastMove={state.moves[ply - 1]}
              check={live ? state.check : /[+#]$/.test(state.san[ply - 1] ?? "")}
              moves={live ? (view.legal?.moves ?? []) : []}
              side={live && !state.result && started ? side : null}
              ply={state.moves.length}
              variant={state.variant}
              drawing={drawing}
              onMove={move}
              onSelect={(square) => held && drop(held, square)}
              onDrop={drop}
              api={ground}
            />
          )}
          {promoting && (
            <Promotion
              square={promoting[1]}
              orientation={bottom}
              colour={state.turn}
              pieces={view.legal?.moves.filter((uci) => uci.startsWith(promoting.join(""))).map((uci) => uci.charAt(4)) ?? []}
              onClose={() => setPromoting(null)}
              onChoose={(piece) => {
                setPromoting(null);
                send(promoting.join("") + piece);
              }}
            />
          )}
          {card && <EndCard table={table} view={view} low={state.result?.winner !== other(bottom)} nameOf={nameOf} after={after} note={rematchNote(view, side, opponent)} onClose={() => setClosed(state.game)} />}
          {!view.you?.seats.length && <Join table={table} view={view} />}
          {!started && <Waiting view={view} onInvite={onInvite} onStart={() => void attempt(() => table.send({ type: "start" }))} />}
        </div>
        {bar(bottom, "bottom")}
        <div class="beside-board">
          <div class="chess-panel">
            <Facts view={view} />
            <MoveList san={state.san} start={state.start_fen} ply={ply} onPly={(next) => setLooking(next === state.moves.length ? null : next)} />
            {wide && offers(status(view, side, nameOf))}
            <Controls
              options={options}
              plays={side !== null}
              after={card ? [] : after}
              drawing={drawing}
              act={ask}
              onFlip={() => setFlipped((is) => !is)}
              onDraw={() => setDrawing(!drawing)}
            />
            {side && (over ? <div class="typed" /> : <MoveInput board={board} legal={live ? (view.legal?.moves ?? null) : null} onMove={send} />)}
            <Notices table={table} view={view} />
          </div>
          {wide && (
            <aside class="chess-chat" aria-label={t("panel.label")}>
              <PanelTabs table={table} />
            </aside>
          )}
        </div>
      </section>
    </div>
  );
}

type Wish = Colour | "random";

/** A free seat, for whoever has none, and the colour where the host lets people choose. */
function Join({ table, view }: { table: TableStore; view: ChessView }) {
  const [wish, setWish] = useState<Wish>("random");
  if (view.status === "closed" || view.seats.every((seat) => seat.player)) return null;
  const chooses = view.settings.side === "chosen";
  const sides = (["white", "random", "black"] as const).map((side) => [side, t(side === "random" ? "chess.random" : `chess.${side}`)] as const);
  return (
    <BoardCard label={t("chess.join")}>
      <JoinPanel table={table} view={view} options={chooses ? { side: wish } : {}}>
        {chooses && <Choice<Wish> label={t("chess.colour")} value={wish} options={sides} onChange={setWish} />}
      </JoinPanel>
    </BoardCard>
  );
}

/** Before the first game: somebody is missing, or the host has to begin. */
function Waiting({ view, onInvite, onStart }: { view: ChessView; onInvite(): void; onStart(): void }) {
  if (!view.you?.seats.length || view.status === "closed") return null;
  const seated = view.seats.filter((seat) => seat.player).length;
  const words = seated > 1 ? t("chess.waiting.host") : t(view.settings.autostart ? "chess.waiting.starts" : "chess.waiting");
  return (
    <BoardCard label={words}>
      {view.you.host && seated > 1 ? (
        <button type="button" class="button primary block" onClick={onStart}>
          {t("host.start")}
        </button>
      ) : (
        <p class="end-words">{words}</p>
      )}
      {seated < 2 && (
        <button type="button" class="button primary block" onClick={onInvite}>
          <Icon name="share" />
          {t("chess.invite")}
        </button>
      )}
    </BoardCard>
  );
}

/** The colour that is played from a seat. */
function colourAt({ state: { players } }: ChessView, seat: number | null): Colour | null {
  if (seat === null) return null;
  return players.white === seat ? "white" : players.black === seat ? "black" : null;
}

/** The colour that this person moves: on one screen, whoever's turn it is. */
function sideOf(view: ChessView): Colour | null {
  const seats = view.you?.seats ?? [];
  if (seats.length > 1) return view.state.turn;
  return colourAt(view, seats[0] ?? null);
}

function rematch(view: ChessView, side: Colour, options: ReadonlySet<string>, act: (type: string) => void): AfterGame {
  const accept = options.has("accept_rematch");
  const mine = view.state.rematch_offer === side;
  return {
    id: "rematch",
    icon: "again",
    label: t(accept ? "chess.accept_rematch" : mine ? "chess.rematch.waiting" : "chess.offer_rematch"),
    disabled: !accept && !options.has("offer_rematch"),
    run: () => act(accept ? "accept_rematch" : "offer_rematch"),
  };
}

function rematchNote({ state }: ChessView, side: Colour | null, opponent: string): string {
  if (!side || !state.rematch_offer) return "";
  return state.rematch_offer === side ? t("offer.rematch.mine") : t("offer.rematch", { name: opponent });
}

/** The first of the moves with which a draw may be claimed: as the game ends, it matters little which it is. */
function claimingOf({ state, legal }: ChessView): Claiming | null {
  const [uci, claim] = Object.entries(legal?.claims ?? {})[0] ?? [];
  if (!uci || !claim) return null;
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const piece = boardOf(state.fen).get(from)?.toUpperCase().replace("P", "") ?? "";
  return { uci, claim, move: withLetters(`${piece}${from}–${to}`, t("chess.letters")) };
}

/** What the game waits for, in one line. */
function status(view: ChessView, side: Colour | null, nameOf: (colour: Colour) => string): string {
  const { result, turn, variant, game } = view.state;
  if (result) {
    const words = ending(result.winner, result.reason, { name: result.winner ? nameOf(result.winner) : "", variant });
    return result.reason === "aborted" ? words : `${score(result.winner, result.reason)} · ${words}`;
  }
  if (view.status !== "playing" || !game) return t("chess.notStarted");
  return side === turn && view.you?.seats.length === 1 ? t("chess.yourMove") : t("chess.theirMove", { name: nameOf(turn) });
}
