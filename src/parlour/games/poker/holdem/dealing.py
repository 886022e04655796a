"""From one hand to the next: who plays, who posts, and the cards."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from parlour._core import Hand
from parlour.games.cards import FULL_DECK
from parlour.games.contract import Event, Illegal, Millis, Seat, World
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.blinds import Player, arrange
from parlour.games.poker.holdem.play import aftermath
from parlour.games.poker.holdem.settings import DECK_SIZE, Settings
from parlour.games.poker.holdem.state import Record, State, texts


def open_hand(opening: events.HandStarted, cards: list[int]) -> Hand:
    """The engine's hand, with posts made and cards dealt. The last place is that of the button, or just before it."""
    stacks, each = opening.stacks, opening.ante_type == "each"
    order = list(stacks)
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
        posts=[(order.index(seat), live, dead) for seat, live, dead in opening.posts],
        big_blind_seat=order.index(opening.big_blind),
    )


def deal(state: State, world: World) -> list[Event]:
    """Start the next hand."""
    return _deal(state, state.record.players, world)


def deal_anew(state: State, world: World) -> list[Event]:
    """Start the next freeze-out after one that somebody has won: everybody at the table has the buy-in again."""
    settings, record = state.settings, state.record
    fresh = Record(
        players=[player and Player(stack=settings.buy_in, bank=settings.bank) for player in record.players],
        hand=record.hand,
    )
    happened: list[Event] = [events.NewGame()]
    for seat, player in enumerate(record.players):
        if player is not None:
            happened += [
                events.CashedOut(seat=seat, chips=player.stack),
                events.BoughtIn(seat=seat, chips=settings.buy_in, player=player.id),
            ]
    return happened + deal(State(settings, fresh), world)


def deal_on(state: State, happened: Sequence[Event], world: World) -> list[Event]:
    """Where no time lies between two hands, and these events end one: the next, dealt in the same step."""
    for event in happened:
        if type(event) is events.HandEnded:
            return _deal_after(state, event, world)
    return []


def _deal_after(state: State, ended: events.HandEnded, world: World) -> list[Event]:
    players = [
        None
        if player is None or player.leaving
        else msgspec.structs.replace(player, stack=player.stack + ended.stacks.get(seat, 0))
        for seat, player in enumerate(state.record.players)
    ]
    try:
        return _deal(state, players, world)
    except Illegal:  # too few are left
        return []


def _deal(state: State, players: Sequence[Player | None], world: World) -> list[Event]:
    record, settings = state.record, state.settings
    level, next_level_at = _level(record, settings, world.now)
    small, big, ante = settings.level(level - 1)
    arrangement = arrange(
        players,
        record.positions,
        (small, big),
        world.chance.shuffle(len(players)) if record.positions is None else (),
        settings.blinds_out,
    )
    fixed = settings.limit == "fixed-limit"
    opening = events.HandStarted(
        hand=record.hand + 1,
        button=arrangement.positions.button,
        small_blind=arrangement.positions.small,
        big_blind=arrangement.positions.big,
        blinds=(small, big),
        stacks={seat: player.stack for seat in arrangement.order if (player := players[seat]) is not None},
        posts=arrangement.posts,
        ante=ante,
        ante_type=settings.ante_type,
        ante_first=settings.ante_first and settings.ante_type == "big_blind",
        variant=settings.variant,
        limit=settings.limit,
        cap=settings.cap if fixed else 4,
        half_bet=fixed,
        level=level,
        next_level_at=next_level_at,
        missed_small=arrangement.missed_small,
        missed_big=arrangement.missed_big,
        absent=tuple(seat for seat in arrangement.order if (player := players[seat]) is not None and player.out),
    )
    size = DECK_SIZE[settings.variant]
    cards = list(world.chance.shuffle(size))
    if size < len(FULL_DECK):  # without the low cards
        cards = [len(FULL_DECK) - size + card for card in cards]
    hand = open_hand(opening, cards)
    opening = msgspec.structs.replace(opening, to_act=None if hand.actor is None else arrangement.order[hand.actor])
    happened: list[Event] = []
    if level != record.level:
        happened.append(events.LevelRaised(level=level, blinds=(small, big), ante=ante))
    happened += [opening, *_posted(opening), events.Deck(cards)]
    happened += [events.Dealt(seat, texts(hand.hole(place))) for place, seat in enumerate(arrangement.order)]
    if opening.to_act is None:
        aftermath(happened, hand, opening.hand, arrangement.order, board=0)
    return happened


def _level(record: Record, settings: Settings, now: Millis) -> tuple[int, Millis | None]:
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


def _posted(opening: events.HandStarted) -> list[Event]:
    """The posts as they are made: a short stack pays what it has, in this order.

    An ante, the live chips, the dead ones, the ante for all; that comes before the others where it is first.
    """
    each, for_all = (opening.ante, 0) if opening.ante_type == "each" else (0, opening.ante)
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
    return happened


def _kind(opening: events.HandStarted, seat: Seat) -> events.PostKind:
    if seat == opening.big_blind:
        return "big_blind"
    return "small_blind" if seat == opening.small_blind else "post"
