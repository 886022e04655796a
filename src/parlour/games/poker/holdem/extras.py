"""What the host may add to the game, as it is seen and offered: straddles, bomb pots, several runs, changing games.

What is off costs a view nothing: its fields are left out.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import UNSET, UnsetType

from parlour.games.contract import Event, Illegal, Seat, World
from parlour.games.poker.holdem import endings, events
from parlour.games.poker.holdem.dealing import bomb_is_due
from parlour.games.poker.holdem.page import (
    BountyPaid,
    GameName,
    GameQuestion,
    HandGame,
    Head,
    Next,
    RabbitCards,
    RunQuestion,
    Straddle,
)
from parlour.games.poker.holdem.rotation import hands_left, next_in_turn, present_game
from parlour.games.poker.holdem.state import HoldemState


def add(state: HoldemState, head: Head) -> None:
    """Write into the public view what the host has added and the hand has brought of it."""
    record, settings = state.record, state.settings
    if settings.choice != "fixed" or settings.straddle != "off" or settings.bomb_ante:
        head.next = _next(state)
    if record.choosing is not None and record.next_hand_at is not None:
        games: list[tuple[str, str]] = [(game.variant, game.limit) for game in settings.playable()]
        head.choice = GameQuestion(record.choosing, record.next_hand_at, games)
    if record.offer is not None:
        head.run = RunQuestion(record.offer.seats, record.offer.most, record.offer_until, record.answers)
    if record.more_boards:
        head.boards = [record.board, *record.more_boards]
    if record.rabbit is not None:
        head.rabbit = RabbitCards(record.rabbit.seat, record.rabbit.boards)
    if record.bounty is not None:
        head.bounty = BountyPaid(record.bounty.seat, record.bounty.paid)


def hand_game(state: HoldemState) -> HandGame:
    """What is played."""
    record, opening = state.record, state.record.opening
    if opening is None:
        game = present_game(record, state.settings)
        return HandGame(game.variant, game.limit)
    if record.plain and not (opening.bomb or opening.button_blind or opening.straddle or opening.seven_deuce):
        return _plain_game(opening.variant, opening.limit)
    return HandGame(
        opening.variant,
        opening.limit,
        boards=opening.boards if opening.boards > 1 else UNSET,
        bomb=opening.bomb or UNSET,
        button_blind=opening.button_blind or UNSET,
        straddle=UNSET if opening.straddler is None else Straddle(opening.straddler, opening.straddle),
        runs=record.times if record.times > 1 else UNSET,
        seven_deuce=opening.seven_deuce or UNSET,
    )


_plain_game = lru_cache(HandGame)
"""Most hands have no extras, and a view is written for each of them."""


def _next(state: HoldemState) -> Next:
    record, settings = state.record, state.settings
    game: GameName | UnsetType = UNSET
    hands: int | UnsetType = UNSET
    if settings.choice != "fixed":
        hands = hands_left(record, settings, len(record.order))
        if settings.choice == "rotation":
            following = next_in_turn(record, settings)
            game = GameName(following.variant, following.limit)
    players = [(seat, player) for seat, player in enumerate(record.players) if player is not None]
    straddlers = [seat for seat, player in players if player.straddle]
    # Who is in the hand counts, whatever is left of the stack: so no bet changes what is told here.
    there = [
        seat
        for seat, player in players
        if player.there and (player.stack or (record.live and state.place(seat) is not None))
    ]
    return Next(
        game=game,
        hands=hands,
        bomb=bomb_is_due(record, settings, there) or UNSET,
        bombs=record.bombs or UNSET,
        straddlers=straddlers if straddlers and settings.straddle != "off" else UNSET,
    )


def options(state: HoldemState, seat: Seat) -> list[str]:
    """What the seat may ask for or answer."""
    record, settings = state.record, state.settings
    found = []
    if settings.straddle != "off":
        found.append("straddle")
    if settings.bomb_ante:
        found.append("bomb")
    if seat == record.choosing:
        found.append("choose")
    if record.offer is not None and seat in state.asked():
        found.append("run")
    if settings.rabbit and endings.may_hunt(state, seat):
        found.append("rabbit")
    return found


def straddle(state: HoldemState, seat: Seat, on: bool) -> list[Event]:
    """Say whether one will straddle."""
    player = state.record.players[seat]
    if state.settings.straddle == "off":
        raise Illegal("no_straddle", "nobody straddles at this table")
    if player is not None and player.straddle == on:
        return []
    return [events.StraddleSet(seat, on)]


def bomb(state: HoldemState, seat: Seat, on: bool, world: World) -> list[Event]:
    """Ask for a bomb pot, or no longer."""
    record = state.record
    if not state.settings.bomb_ante:
        raise Illegal("no_bomb_pots", "there are no bomb pots at this table")
    if (seat in record.bombs) == on and (record.bomb_next == on or not world.host):
        return []
    return [events.BombAsked(seat, on, world.host)]
