"""From one hand to the next: who plays, who posts, and the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from parlour._core import Hand
from parlour.games.cards import FULL_DECK
from parlour.games.contract import Event, Illegal, Millis, Seat, World
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.blinds import BlindsPlayer, arrange, arrange_bomb
from parlour.games.poker.holdem.endings import end_betting
from parlour.games.poker.holdem.play import next_street
from parlour.games.poker.holdem.rotation import change_of_game, present_game
from parlour.games.poker.holdem.settings import DECK_SIZE, Settings
from parlour.games.poker.holdem.state import HoldemRecord, HoldemState, texts


def open_hand(opening: events.HandStarted, cards: list[int]) -> Hand:
    """The engine's hand, with posts made and cards dealt. The last place is that of the button, or just before it."""
    stacks, each = opening.stacks, opening.ante_type == "each"
    order = list(stacks)
    extras = _extras(opening, order)
    return Hand(
        stacks.values(),
        blinds=opening.blinds,
        ante=opening.ante if each else 0,
        big_blind_ante=0 if each else opening.ante,
        ante_first=opening.ante_first,
        variant=opening.variant,
        limit=opening.limit,
        cap=opening.cap,
        half_bet=opening.half_bet,
        deck=cards,
        **extras,
    )


def _extras(opening: events.HandStarted, order: list[Seat]) -> dict[str, Any]:
    """What the host has turned on, for the engine: an ordinary hand is opened without it, which is faster."""
    extras: dict[str, Any] = {}
    if opening.bomb:
        extras["bomb"] = opening.bomb
    else:
        extras["posts"] = [(order.index(seat), live, dead) for seat, live, dead in opening.posts]
        extras["big_blind_seat"] = order.index(opening.big_blind)
    if opening.straddler is not None:
        extras["straddle"], extras["straddle_seat"] = opening.straddle, order.index(opening.straddler)
    if opening.boards > 1:
        extras["boards"] = opening.boards
    if opening.runs > 1:
        extras["runs"] = opening.runs
    if opening.button_blind:
        extras["button_blind"] = True
    if opening.seven_deuce:
        extras["seven_deuce"] = opening.seven_deuce
    return extras


def deal(state: HoldemState, world: World) -> list[Event]:
    """Start the next hand."""
    return _deal(state, state.record.players, world)


def deal_anew(state: HoldemState, world: World) -> list[Event]:
    """Start the next freeze-out after one that somebody has won: everybody at the table has the buy-in again."""
    settings, record = state.settings, state.record
    fresh = HoldemRecord(
        players=[player and BlindsPlayer(stack=settings.buy_in, bank=settings.bank) for player in record.players],
        hand=record.hand,
    )
    happened: list[Event] = [events.NewGame()]
    for seat, player in enumerate(record.players):
        if player is not None:
            happened += [
                events.CashedOut(seat=seat, chips=player.stack),
                events.BoughtIn(seat=seat, chips=settings.buy_in, player=player.id),
            ]
    return happened + deal(HoldemState(settings, fresh), world)


def deal_on(state: HoldemState, happened: Sequence[Event], world: World) -> list[Event]:
    """Where no time lies between two hands, and these events end one: the next, dealt in the same step."""
    bounty: events.Bounty | None = None
    for event in happened:
        if type(event) is events.Bounty:
            bounty = event
        if type(event) is events.HandEnded:
            return _deal_after(state, event, bounty, world)
    return []


def _deal_after(state: HoldemState, ended: events.HandEnded, bounty: events.Bounty | None, world: World) -> list[Event]:
    players = [
        None
        if player is None or player.leaving
        else msgspec.structs.replace(
            player, stack=player.stack + ended.stacks.get(seat, 0) + (0 if bounty is None else bounty.change(seat))
        )
        for seat, player in enumerate(state.record.players)
    ]
    try:
        return _deal(state, players, world)
    except Illegal:  # too few are left
        return []


def _deal(state: HoldemState, players: Sequence[BlindsPlayer | None], world: World) -> list[Event]:
    """Deal the next hand, or first let the player with the button choose the game."""
    record, settings = state.record, state.settings
    level, next_level_at = _level(record, settings, world.now)
    small, big, ante = settings.level(level - 1)
    lot = world.chance.shuffle(len(players)) if record.positions is None else ()
    bomb = 0
    if settings.bomb_ante:
        there = [seat for seat, player in enumerate(players) if player is not None and player.there and player.stack]
        bomb = settings.bomb_ante * big if bomb_is_due(record, settings, there) else 0
    if bomb:
        again = record.opening is not None and record.opening.bomb > 0
        arrangement = arrange_bomb(players, record.positions, lot, settings.blinds_out, settings.button_blind, again)
    else:
        arrangement = arrange(players, record.positions, (small, big), lot, settings.blinds_out, settings.button_blind)
    change = None
    if settings.choice != "fixed":
        change = change_of_game(record, settings, arrangement, players, world)
    if isinstance(change, events.ChoiceOffered):
        return [change]
    happened: list[Event] = [] if change is None else [change]
    game = settings if settings.choice == "fixed" else change or present_game(record, settings)
    order, fixed, boards = arrangement.order, game.limit == "fixed-limit", settings.boards(bomb > 0)
    opening = events.HandStarted(
        hand=record.hand + 1,
        button=arrangement.positions.button,
        small_blind=arrangement.positions.small,
        big_blind=arrangement.positions.big,
        blinds=(small, big),
        stacks={seat: player.stack for seat in order if (player := players[seat]) is not None},
        posts=arrangement.posts,
        ante=0 if bomb else ante,
        ante_type=settings.ante_type,
        ante_first=settings.ante_first and settings.ante_type == "big_blind",
        variant=game.variant,
        limit=game.limit,
        cap=settings.cap if fixed else 4,
        half_bet=fixed,
        level=level,
        next_level_at=next_level_at,
        missed_small=arrangement.missed_small,
        missed_big=arrangement.missed_big,
        absent=tuple(seat for seat in order if (player := players[seat]) is not None and player.out),
        boards=boards,
        bomb=bomb,
        button_blind=settings.button_blind and not bomb,
        runs=settings.run_it if boards == 1 else 1,
        seven_deuce=settings.seven_deuce if game.variant == "holdem" else 0,
    )
    if settings.straddle != "off" and not bomb:
        opening = _with_straddle(opening, settings, players, world)
    size = DECK_SIZE[game.variant]
    cards = list(world.chance.shuffle(size))
    if size < len(FULL_DECK):  # without the low cards
        cards = [len(FULL_DECK) - size + card for card in cards]
    hand = open_hand(opening, cards)
    opening = msgspec.structs.replace(opening, to_act=None if hand.actor is None else order[hand.actor])
    if level != record.level:
        happened.append(events.LevelRaised(level=level, blinds=(small, big), ante=ante))
    happened += [opening, *posted(opening), events.DeckShuffled(cards)]
    happened += [events.Dealt(seat, texts(hand.hole(place))) for place, seat in enumerate(order)]
    if opening.to_act is None:
        end_betting(happened, hand, opening, 0, players, world)
    elif bomb:
        happened += next_street(hand, 0, opening.to_act, boards - 1)
    return happened


def bomb_is_due(record: HoldemRecord, settings: Settings, there: Sequence[Seat]) -> bool:
    """Whether the next hand is a bomb pot: by its number, since the host asked for it, or since everybody did.

    Everybody is who is there to play it.
    """
    if not settings.bomb_ante:
        return False
    if record.bomb_next or settings.bomb_due(record.hand + 1):
        return True
    return bool(there) and all(seat in record.bombs for seat in there)


def _with_straddle(
    opening: events.HandStarted, settings: Settings, players: Sequence[BlindsPlayer | None], world: World
) -> events.HandStarted:
    """The same with a straddle, where three play and whoever has the seat for it wants to, can, and posts nothing else.

    It is posted whole or not at all.
    """
    order, amount = list(opening.stacks), 2 * opening.blinds[1]
    seat = opening.button
    if settings.straddle == "utg":
        seat = order[(order.index(opening.big_blind) + 1) % len(order)]
    player = players[seat] if seat in order else None
    if len(order) < 3 or player is None or not player.straddle or not player.there or seat in world.away:
        return opening
    left = opening.stacks[seat] - (opening.ante if opening.ante_type == "each" else 0)
    if left < amount or any(seat == poster for poster, _, _ in opening.posts):
        return opening
    return msgspec.structs.replace(opening, straddle=amount, straddler=seat)


def _level(record: HoldemRecord, settings: Settings, now: Millis) -> tuple[int, Millis | None]:
    """The level of a hand that starts now, and when the one after it begins."""
    levels = settings.levels
    if not levels:
        return 1, None
    level, next_at = min(record.level, len(levels)), record.next_level_at
    if record.positions is None or (next_at is None and level < len(levels)):  # a new game, or levels are new
        next_at = now + _minutes(settings, level)
    elif next_at is not None and record.stopped_at is not None:
        next_at += now - record.stopped_at
    while next_at is not None and level < len(levels) and now >= next_at:
        level += 1
        next_at += _minutes(settings, level)
    return level, next_at if level < len(levels) else None


def _minutes(settings: Settings, level: int) -> Millis:
    return round(settings.levels[level - 1].minutes * 60_000)


def posted(opening: events.HandStarted) -> list[Event]:
    """The posts as they are made: a short stack pays what it has, in this order.

    An ante, the live chips, the dead ones, the ante for all; that comes before the others where it is first.
    """
    each, for_all = (opening.ante, 0) if opening.ante_type == "each" else (0, opening.ante)
    if opening.bomb:
        each, for_all = opening.bomb, 0
    posts = opening.posts
    happened: list[Event] = []
    if each:
        dues = {seat: (live, dead) for seat, live, dead in posts}
        posts = [(seat, *dues.get(seat, (0, 0))) for seat in opening.stacks]
    for seat, live, dead in posts:
        left = opening.stacks[seat]
        bills: list[tuple[events.PostKind, int]] = [(_kind(opening, seat), live)]
        if each:
            bills.insert(0, ("ante", each))
        if dead:
            bills.append(("dead", dead))
        if for_all and seat == opening.big_blind:
            bills.insert(0 if opening.ante_first else len(bills), ("ante", for_all))
        for kind, due in bills:
            paid = due if due < left else left
            if paid:
                left -= paid
                happened.append(events.Posted(seat, paid, kind))
    if opening.straddler is not None:
        happened.append(events.Posted(opening.straddler, opening.straddle, "straddle"))
    return happened


def _kind(opening: events.HandStarted, seat: Seat) -> events.PostKind:
    if seat == opening.big_blind:
        return "button_blind" if opening.button_blind else "big_blind"
    return "small_blind" if seat == opening.small_blind else "post"
