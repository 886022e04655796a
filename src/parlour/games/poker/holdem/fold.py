"""How the state follows each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.games.contract import Event, Millis, Seat
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.blinds import BlindsPlayer, Positions
from parlour.games.poker.holdem.dealing import open_hand
from parlour.games.poker.holdem.page import BOARD_CARDS
from parlour.games.poker.holdem.rotation import CHOICE_TIME
from parlour.games.poker.holdem.settings import BANK_REFILL, HILO, HOLE_CARDS
from parlour.games.poker.holdem.state import DEPARTED_KEPT, Departed, HoldemState


def _player(state: HoldemState, seat: Seat) -> BlindsPlayer:
    player = state.record.players[seat]
    if player is None:
        raise ValueError(f"nobody sits at seat {seat}")
    return player


def _schedule(state: HoldemState, at: Millis) -> None:
    """Between hands: set the next one as soon as two are ready, and call it off when they are not."""
    record = state.record
    if record.live or not record.running:
        return
    if state.settings.freeze_out and sum(player is not None and player.stack > 0 for player in record.players) < 2:
        record.running = False  # somebody has won
        record.next_hand_at = record.choosing = None
    elif len(state.ready()) < 2:
        record.next_hand_at = record.choosing = None
        if record.stopped_at is None:
            record.stopped_at = at
    elif record.next_hand_at is None:
        record.next_hand_at = at + state.settings.delay


def reschedule(state: HoldemState) -> None:
    """The settings are others: who counts as ready may have changed, and whether somebody has won."""
    record = state.record
    if record.choosing is not None and state.settings.choice != "dealer" and record.next_hand_at is not None:
        record.choosing = None  # nobody is asked any more
        record.next_hand_at -= CHOICE_TIME
    at = record.stopped_at if record.next_hand_at is None else record.next_hand_at
    if at is not None:
        _schedule(state, at)


def _bought_in(state: HoldemState, event: events.BoughtIn, at: Millis) -> None:
    record = state.record
    if event.rebuy:
        _player(state, event.seat).stack += event.chips
    else:
        record.players[event.seat] = BlindsPlayer(
            stack=event.chips,
            bank=state.settings.bank,
            new=record.running,
            missed_small=event.missed_small,
            missed_big=event.missed_big,
            post=event.post,
            id=event.player,
            out=event.out,
            placed=event.placed,
        )
        if event.player is not None:
            record.departed.pop(event.player, None)
    _schedule(state, at)


def _cashed_out(state: HoldemState, event: events.CashedOut, at: Millis) -> None:
    record, player = state.record, _player(state, event.seat)
    kept = player.placed or (record.running and state.settings.return_time != 0)
    if player.id is not None and kept:
        departed = record.departed
        departed[player.id] = Departed(at, event.chips, player.missed_small, player.missed_big)
        if len(departed) > DEPARTED_KEPT:
            del departed[next(iter(departed))]
    record.players[event.seat] = None
    if event.seat in record.bombs:
        record.bombs.remove(event.seat)
    if event.seat in record.order and event.seat not in record.gone:
        record.gone.append(event.seat)
    _schedule(state, at)


def _stack_corrected(state: HoldemState, event: events.StackCorrected, at: Millis) -> None:
    _player(state, event.seat).stack += event.chips
    _schedule(state, at)


def _leaving(state: HoldemState, event: events.Leaving, at: Millis) -> None:
    _player(state, event.seat).leaving = True


def _sat_out(state: HoldemState, event: events.SatOut, at: Millis) -> None:
    player = _player(state, event.seat)
    player.out = True
    player.absent = event.timeout
    player.post = player.straddle = False
    _schedule(state, at)


def _sat_in(state: HoldemState, event: events.SatIn, at: Millis) -> None:
    player = _player(state, event.seat)
    player.out = player.absent = False
    player.post = event.post
    _schedule(state, at)


def _new_game(state: HoldemState, event: events.NewGame, at: Millis) -> None:
    record = state.record
    record.running = False
    record.positions = record.next_level_at = record.game = None
    record.level = 1
    record.game_hands = 0
    record.bombs, record.bomb_next = [], False


def _level_raised(state: HoldemState, event: events.LevelRaised, at: Millis) -> None:
    state.record.level = event.level


def _straddle_set(state: HoldemState, event: events.StraddleSet, at: Millis) -> None:
    _player(state, event.seat).straddle = event.on


def _bomb_asked(state: HoldemState, event: events.BombAsked, at: Millis) -> None:
    record = state.record
    record.bombs = [seat for seat in record.bombs if seat != event.seat] + [event.seat] * event.on
    if event.host:
        record.bomb_next = event.on


def _choice_offered(state: HoldemState, event: events.ChoiceOffered, at: Millis) -> None:
    record = state.record
    record.running = True
    record.choosing = event.seat
    record.next_hand_at = event.until
    record.turn += 1


def _game_chosen(state: HoldemState, event: events.GameChosen, at: Millis) -> None:
    record = state.record
    record.game = event.variant, event.limit
    record.game_hands = 0
    if record.choosing is not None:
        record.choosing, record.next_hand_at = None, at


def _hand_started(state: HoldemState, event: events.HandStarted, at: Millis) -> None:
    record, binds = state.record, state.settings.binds
    if record.departed:
        record.departed = {player: left for player, left in record.departed.items() if binds(left.at, at)}
    record.running = record.live = True
    record.hand = event.hand
    record.positions = Positions(event.button, event.small_blind, event.big_blind)
    record.level, record.next_level_at = event.level, event.next_level_at
    record.next_hand_at = record.stopped_at = record.choosing = None
    record.game_hands += 1
    record.bombs, record.bomb_next = [], False
    record.opening = event
    record.order = list(event.stacks)
    record.gone, record.mucked, record.board, record.shown = [], [], [], {}
    record.deeds = [None] * len(record.order)
    record.actions = []
    record.aggressor = record.returned = record.result = record.bounty = record.rabbit = record.offer = None
    record.more_boards = [] if event.boards == 1 else [[] for _ in range(event.boards - 1)]
    record.answers, record.times = {}, 1
    record.plain = event.boards == 1 and event.variant not in HILO
    for seat in event.missed_small:
        _player(state, seat).missed_small = True
    for seat in event.missed_big:
        _player(state, seat).missed_big = True
    for seat in event.absent:
        _player(state, seat).absent = True
    most = state.settings.bank
    for seat in record.order:
        player = _player(state, seat)
        player.stack = 0
        if player.bank != most:
            player.bank = min(most, player.bank + BANK_REFILL)
        if not event.bomb and (player.post or not player.settled):
            player.new = player.missed_small = player.missed_big = player.post = False
    state.hand = state.actor = None


def _posted(state: HoldemState, event: events.Posted, at: Millis) -> None:
    record = state.record
    record.actions.append((event.seat, "preflop", event.kind, event.amount))
    if event.kind != "ante":
        record.deeds[record.order.index(event.seat)] = event.kind, event.amount, None


def _deck(state: HoldemState, event: events.DeckShuffled, at: Millis) -> None:
    record = state.record
    if record.opening is None:
        raise ValueError("a deck without a hand")
    state.hand = open_hand(record.opening, event.cards)
    state.find_actor()
    record.turn += 1
    record.since = at


def _dealt(state: HoldemState, event: events.Dealt, at: Millis) -> None:
    """The cards are the engine's already."""


def _acted(state: HoldemState, event: events.Acted, at: Millis) -> None:
    record, hand, seat = state.record, state.hand, event.seat
    if hand is None:
        raise ValueError("an action without a hand")
    actor, action, written = state.actor, event.action, state.written
    place, street = record.order.index(seat), events.STREETS[hand.street]
    if seat == actor:
        hand.act(action, event.total)
        player = record.players[seat]
        if player is not None and (event.bank_used or player.absent):
            player.bank -= event.bank_used
            player.absent = player.absent and event.timeout
            if written is not None:
                written.rows = None
    else:  # in a log of version 0.1.0 those who left folded at once
        hand.fold_out_of_turn(place)
    if event.to_act is not None:
        state.actor = event.to_act
    else:  # the street is over
        state.find_actor()
    if seat == actor or state.actor != actor:
        record.turn += 1
        record.since = at
    record.deeds[place] = action, event.total, event.all_in
    step = seat, street, action, event.total
    record.actions.append(step)
    if written is not None:
        written.add(step)
    if action in ("bet", "raise"):
        record.aggressor = seat
    elif action == "fold" and written is not None:
        written.offers[seat] = None


def _street(state: HoldemState, event: events.StreetDealt, at: Millis) -> None:
    record, written = state.record, state.written
    if event.board:
        record.more_boards[event.board - 1] += event.cards
    else:
        record.board += event.cards
    record.deeds = [deed if deed and (deed[0] == "fold" or deed[2]) else None for deed in record.deeds]
    if written is not None:
        written.cards = [None] * len(record.players)
        if record.more_boards:
            written.head = None


def _returned(state: HoldemState, event: events.BetReturned, at: Millis) -> None:
    state.record.returned = event


def _shown(state: HoldemState, event: events.Shown, at: Millis) -> None:
    record = state.record
    record.shown[event.seat] = event.cards
    if event.seat in record.mucked:
        record.mucked.remove(event.seat)
    if record.opening is not None and len(event.cards) < HOLE_CARDS[record.opening.variant]:
        record.plain = False


def _mucked(state: HoldemState, event: events.Mucked, at: Millis) -> None:
    state.record.mucked.append(event.seat)


def _runs_offered(state: HoldemState, event: events.RunsOffered, at: Millis) -> None:
    record = state.record
    record.offer, record.offer_until = event, event.until
    record.plain = False
    record.turn += 1


def _run_answered(state: HoldemState, event: events.RunAnswered, at: Millis) -> None:
    state.record.answers[event.seat] = event.times


def _runs_agreed(state: HoldemState, event: events.RunsAgreed, at: Millis) -> None:
    record, hand = state.record, state.hand
    if hand is None:
        raise ValueError("a board without a hand")
    hand.run(event.times)
    record.offer = None
    record.times = event.times
    record.more_boards = [list(record.board) for _ in range(event.times - 1)]
    record.plain = event.times == 1 and record.opening is not None and record.opening.variant not in HILO


def _bounty(state: HoldemState, event: events.Bounty, at: Millis) -> None:
    state.record.bounty = event
    for seat in (event.seat, *event.paid):
        _player(state, seat).stack += event.change(seat)
    _schedule(state, at)


def _rabbit(state: HoldemState, event: events.RabbitAsked, at: Millis) -> None:
    state.record.rabbit = event


STREET_TIME: Millis = 1_100
POT_TIME: Millis = 900


def _time_to_watch(state: HoldemState, event: events.HandEnded) -> Millis:
    """How much later the next hand comes where people watch the board run out, or several pots being paid."""
    record = state.record
    _, street, _, _ = record.actions[-1]
    streets = sum(BOARD_CARDS[street] < cards <= len(record.board) for cards in BOARD_CARDS.values())
    return record.times * streets * STREET_TIME + (len(event.pots) - 1) * POT_TIME


def _hand_ended(state: HoldemState, event: events.HandEnded, at: Millis) -> None:
    record = state.record
    for seat, stack in event.stacks.items():
        _player(state, seat).stack += stack
    record.live = False
    state.actor = None
    record.result = event
    record.turn += 1
    _schedule(state, at)
    if record.next_hand_at is not None and state.settings.delay:
        record.next_hand_at += _time_to_watch(state, event)


_WITHIN_A_HAND = (events.Acted, events.StreetDealt)
"""What happens most: such an event says itself what it puts out of date."""

_AT_ITS_END = (events.BetReturned, events.Shown, events.Mucked, events.HandEnded)
"""What changes nobody's cards. After any other event, nothing written holds."""


def follow(state: HoldemState, event: Event, at: Millis) -> None:
    """Let the state follow the event."""
    kind = type(event)
    _FOLD[kind](state, event, at)
    if kind not in _WITHIN_A_HAND and state.written is not None:
        if kind in _AT_ITS_END:
            state.written.outdate()
        else:
            state.written = None


_FOLD: dict[type[Event], Callable[[HoldemState, Any, Millis], None]] = {
    events.BoughtIn: _bought_in,
    events.CashedOut: _cashed_out,
    events.StackCorrected: _stack_corrected,
    events.Leaving: _leaving,
    events.SatOut: _sat_out,
    events.SatIn: _sat_in,
    events.NewGame: _new_game,
    events.LevelRaised: _level_raised,
    events.StraddleSet: _straddle_set,
    events.BombAsked: _bomb_asked,
    events.ChoiceOffered: _choice_offered,
    events.GameChosen: _game_chosen,
    events.HandStarted: _hand_started,
    events.Posted: _posted,
    events.DeckShuffled: _deck,
    events.Dealt: _dealt,
    events.Acted: _acted,
    events.StreetDealt: _street,
    events.BetReturned: _returned,
    events.Shown: _shown,
    events.Mucked: _mucked,
    events.RunsOffered: _runs_offered,
    events.RunAnswered: _run_answered,
    events.RunsAgreed: _runs_agreed,
    events.HandEnded: _hand_ended,
    events.Bounty: _bounty,
    events.RabbitAsked: _rabbit,
}
