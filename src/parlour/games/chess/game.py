"""Chess on the contract: the rules come from the library `chess`, the manners of a table from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from parlour.games.chess import actions, beginning, decisions, events, offers, page, pgn, results, summary
from parlour.games.chess.clock import Color, other
from parlour.games.chess.endings import abandoned, claims, flag_fall
from parlour.games.chess.fold import FOLD
from parlour.games.chess.settings import Settings
from parlour.games.chess.state import ChessRecord, ChessState
from parlour.games.contract import (
    Action,
    Deadline,
    Event,
    Facets,
    Figure,
    Game,
    Illegal,
    Millis,
    RatedRound,
    Round,
    Seat,
    Summary,
    World,
)


class Chess(Game[Settings, ChessState]):
    """Chess for two seats, with clocks, offers, claims and rematches."""

    name: ClassVar[str] = "chess"
    title: ClassVar[str] = "Chess"
    settings_type = Settings
    action_types = actions.ACTIONS
    event_types = events.EVENTS
    public_type = page.Public
    private_type = None
    legal_type = page.Legal
    export_formats: ClassVar[Mapping[str, str]] = {"pgn": "application/vnd.chess-pgn"}
    charted = ("wins", "draws", "losses")
    positions = ("white", "black")
    rates = True
    frozen_as = (ChessRecord, 1)

    # Setting up

    def check(self, settings: Settings) -> None:
        beginning.check(settings)

    def seats(self, settings: Settings) -> tuple[int, int]:
        return 2, 2

    def setup(self, settings: Settings) -> ChessState:
        return ChessState(settings, ChessRecord())

    def shares_seats(self, settings: Settings) -> bool:
        return settings.same_screen

    # People come and go

    def join(self, state: ChessState, seat: Seat, options: Mapping[str, Any], world: World) -> Sequence[Event]:
        if world.director:
            return [events.PlayerJoined(seat, beginning.given_to(state, seat, options), placed=True)]
        wish = beginning.wish_of(state, seat, options)
        joined = events.PlayerJoined(seat=seat, side=wish)
        if not beginning.starts_by_itself(state, seat, world):
            return [joined]
        wishes = [*state.record.wishes]
        wishes[seat] = wish
        return [joined, beginning.new_game(state, world, wishes)]

    def leave(self, state: ChessState, seat: Seat, world: World) -> Sequence[Event]:
        left = events.PlayerLeft(seat=seat)
        color = state.color_of(seat)
        if not state.playing or color is None:
            return [left]
        if len(state.record.moves) < 2:
            if state.record.placed:
                return [events.GameEnded(winner=other(color), reason="forfeit"), left]
            return [events.GameEnded(winner=None, reason="aborted"), left]
        return [abandoned(state.board, color), left]

    def start(self, state: ChessState, world: World) -> Sequence[Event]:
        if state.playing:
            raise Illegal("game_running", "the game has started already")
        if not all(state.record.seated):
            raise Illegal("too_few_players", "chess needs two players")
        return [beginning.new_game(state, world, state.record.wishes)]

    # Tournaments

    def directed(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return beginning.directed(settings)

    def next_round(self, state: ChessState, world: World) -> Sequence[Event]:
        if state.record.game:
            raise Illegal("game_over", "in a tournament a table has one game")
        return self.start(state, world)

    def forfeit(self, state: ChessState, losers: Sequence[Seat], world: World) -> Sequence[Event]:
        if not state.playing:
            raise Illegal("game_over", "no game is being played")
        came: list[Color] = [color for color in ("white", "black") if state.seat_of(color) not in losers]
        return [events.GameEnded(winner=came[0] if len(came) == 1 else None, reason="forfeit")]

    # Playing

    def status(self, state: ChessState) -> str:
        if state.playing:
            return "playing"
        return "finished" if state.record.game else "waiting"

    def turn(self, state: ChessState) -> int:
        return state.record.turn

    def actors(self, state: ChessState) -> Sequence[Seat]:
        seat = state.seat_of(state.to_move) if state.playing else None
        return () if seat is None else (seat,)

    def legal(self, state: ChessState, seat: Seat) -> dict[str, Any] | None:
        if not state.playing or seat != state.seat_of(state.to_move):
            return None
        return {"moves": state.legal_moves, "actions": ["move"], "claims": state.claims_by_move}

    def options(self, state: ChessState, seat: Seat) -> Sequence[str]:
        color = state.color_of(seat)
        if color is None:
            return ()
        record = state.record
        if not state.playing:
            if record.rematch_offer == other(color):
                return ("accept_rematch",)
            return ("offer_rematch",) if offers.may_offer_rematch(state) else ()
        options = ["resign"]
        if decisions.may_abort(state):
            options.append("abort")
        if record.draw_offer == other(color):
            options += ("accept_draw", "decline_draw")
        elif offers.may_offer_draw(state, color):
            options.append("offer_draw")
        if record.takeback_offer == other(color):
            options += ("accept_takeback", "decline_takeback")
        elif offers.may_offer_takeback(state, color):
            options.append("offer_takeback")
        if color == state.to_move and claims(state.board):
            options.append("claim_draw")
        if state.settings.live:
            options.append("claim_win")
        return options

    def decide(self, state: ChessState, seat: Seat, action: Action, world: World) -> Sequence[Event]:
        color = state.color_of(seat)
        if color is None:
            raise Illegal("not_playing", "you are not playing in this game")
        if state.record.placed and isinstance(action, decisions.NOT_IN_TOURNAMENTS):
            raise Illegal("directed", "in a tournament there is one game, and no move is taken back")
        if isinstance(action, (actions.OfferRematch, actions.AcceptRematch)):
            return self._rematch(state, color, action, world)
        if not state.playing:
            raise Illegal("game_over", "the game is over")
        clock = state.record.clock
        flag = clock.flag() if clock is not None else None
        if flag is not None and world.now >= flag:
            raise Illegal("time_over", "the time is over")
        return decisions.DECISIONS[type(action)](state, color, action, world)

    def _rematch(self, state: ChessState, color: Color, action: Action, world: World) -> Sequence[Event]:
        if isinstance(action, actions.AcceptRematch) and state.record.rematch_offer != other(color):
            raise Illegal("no_offer", "your opponent has not offered a rematch")
        offered = offers.offer_rematch(state, color)
        return [beginning.new_game(state, world, state.record.wishes)] if offered is None else offered

    def apply(self, state: ChessState, event: Event, at: Millis) -> None:
        FOLD[type(event)](state, event, at)

    # Time

    def deadline(self, state: ChessState) -> Deadline | None:
        clock = state.record.clock
        flag = clock.flag() if clock is not None else None
        return None if flag is None else Deadline(at=flag, seat=state.seat_of(state.to_move))

    def expire(self, state: ChessState, world: World) -> Sequence[Event]:
        deadline = self.deadline(state)
        if deadline is None or world.now < deadline.at:
            return ()
        return [flag_fall(state.board, state.to_move)]

    def shift(self, state: ChessState, length: Millis) -> None:
        if state.record.clock is not None:
            state.record.clock.since += length

    # What may be seen

    def public(self, state: ChessState) -> dict[str, Any]:
        record = state.record
        clock, opening = record.clock, state.opening
        return {
            "game": record.game,
            "variant": record.variant if record.game else state.settings.variant,
            "fen": state.fen,
            "start_fen": record.start_fen,
            "rated": record.rated if record.game else state.settings.rated,
            "opening": None if opening is None else {"eco": opening.eco, "name": opening.name},
            "turn": state.to_move,
            "moves": record.moves.copy(),
            "san": record.san.copy(),
            "check": state.board.is_check(),
            "players": {"white": record.white, "black": record.black},
            "clock": None
            if clock is None
            else {"white": clock.white, "black": clock.black, "running": clock.running, "since": clock.since},
            "draw_offer": record.draw_offer,
            "takeback_offer": record.takeback_offer,
            "rematch_offer": record.rematch_offer,
            "claims": claims(state.board) if state.playing else [],
            "result": None
            if record.result is None
            else {"winner": record.result.winner, "reason": record.result.reason},
        }

    # The record

    def round(self, state: ChessState) -> int:
        return state.record.game

    def tally(self, played: Round) -> Mapping[Seat, Mapping[str, int]]:
        return results.tally(played)

    def facets(self, played: Round) -> Facets:
        return results.facets(played)

    def figures(self, counts: Mapping[str, int]) -> Mapping[str, Figure]:
        return results.figures(counts)

    def rated(self, played: Round) -> RatedRound | None:
        return results.rated(played)

    def summary(self, played: Round) -> Summary:
        return summary.summary(played)

    def export(self, suffix: str, played: Round) -> str:
        return pgn.export(played) if suffix == "pgn" else super().export(suffix, played)

    # Snapshots

    def freeze(self, state: ChessState) -> bytes:
        return msgspec.msgpack.encode(state.record)

    def thaw(self, settings: Settings, frozen: bytes) -> ChessState:
        return ChessState(settings, msgspec.msgpack.decode(frozen, type=ChessRecord))
