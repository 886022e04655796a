"""Non-interference: two games that differ only in what somebody may not know look the same to them, byte for byte."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tiers import quick_first

from parlour.games.cards import FULL_DECK
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.poker.holdem.settings import HOLE_CARDS
from parlour.games.testing import Lots, Trial

SEATS = 5


def table(deck, **choices):
    lot = list(range(SEATS))
    trial = Trial(Holdem(), {"seats": SEATS, "buy_in": 100, **choices}, Lots(0, [lot, deck]))
    for seat in range(SEATS):
        trial.join(seat)
    trial.start()
    return trial


def play(trial, script):
    """Play by a script that knows nothing of the cards; the moments are those at which something may be seen."""
    for pick, size in script:
        actors = trial.game.actors(trial.state)
        if not actors:
            yield from afterwards(trial, pick, size)
            continue
        if size % 5 == 0:  # somebody goes, whoever's turn it is, or returns to another seat
            seat = (pick + size) % SEATS
            player = trial.state.record.players[seat]
            if player is None:
                trial.join(seat, f"player {pick}", buy_in=400)
            elif not player.leaving and seat != 0:
                trial.leave(seat)
            yield
            continue
        legal = trial.game.legal(trial.state, actors[0])
        if legal is None:
            trial.act(actors[0], "run", times=1 + size % trial.public["run"]["most"])
            yield
            continue
        word = legal["actions"][pick % len(legal["actions"])]
        fields = {}
        if word in ("bet", "raise"):
            fields["amount"] = legal["min"] + (legal["max"] - legal["min"]) * size // 99
        trial.act(trial.actor, word, **fields)
        yield


def afterwards(trial, pick, size):
    """Ask for the rabbit, or show one card."""
    seat = pick % SEATS
    if trial.state.record.players[seat] is None:
        return
    options = trial.game.options(trial.state, seat)
    if "rabbit" in options and size % 2:
        trial.act(seat, "rabbit")
        yield
    elif "show" in options:
        held = trial.game.private(trial.state, seat)["cards"]
        left = [card for card in held if card not in trial.state.record.shown.get(seat, ())]
        trial.act(seat, "show", cards=[left[size % len(left)]])
        yield


def shuffled_among(deck, places, seed):
    """The same deck, with the cards at those places in another order."""
    other = list(deck)
    cards = [deck[place] for place in places]
    random.Random(seed).shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        other[place] = card
    return other


def hole_places(trial, seat):
    """Where the cards of a seat lie in the deck."""
    opening = trial.state.record.opening
    order = list(opening.stacks)
    return [order.index(seat) + i * len(order) for i in range(HOLE_CARDS[opening.variant])]


def laid_open(trial):
    """Every card that everybody was told: boards, hands, the rabbit."""
    cards = set()
    for _, event in trial.log:
        match event:
            case ev.StreetDealt(cards=dealt) | ev.Shown(cards=dealt):
                cards |= set(dealt)
            case ev.RabbitAsked(boards=boards):
                cards |= {card for board in boards for card in board}
    return cards


EXTRAS = st.sampled_from(
    [
        {},
        {"run_it": 3, "rabbit": True},
        {"bomb_ante": 10, "bomb_every": 1, "double_board": "bombs", "rabbit": True},
        {"seven_deuce": 5, "rabbit": True},
        {"variant": "omaha-hilo", "limit": "pot-limit", "run_it": 2, "rabbit": True},
        {"variant": "omaha5-hilo", "double_board": "always"},
        {"button_blind": True, "ante": 1, "run_it": 2},
    ]
)


SCRIPT = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30)), max_size=40)


@pytest.mark.parametrize("examples", quick_first([100, 300]))
def test_what_a_viewer_sees_does_not_depend_on_cards_that_nobody_showed_them(examples):
    @settings(max_examples=examples)
    @given(seed=st.integers(0, 10**6), script=SCRIPT, viewer=st.integers(-1, SEATS - 1), extras=EXTRAS)
    def see_the_same(seed, script, viewer, extras):
        deck = random.Random(seed).sample(range(52), 52)
        one = table(deck, **extras)
        for _ in play(one, script):
            pass
        order = list(one.state.record.opening.stacks)
        seats = () if viewer < 0 else (viewer,)
        # Whoever took part in a showdown has shown something by winning, losing or mucking: those cards stay.
        settled = one.public["result"]
        folded = {event.seat for _, event in one.log if isinstance(event, ev.Acted) and event.action == "fold"}
        showdown = set(order) - folded if settled is not None and settled["reason"] == "showdown" else set()
        known = {place for seat in showdown | set(seats) for place in hole_places(one, seat)}
        opened = laid_open(one)
        hidden = [place for place in range(52) if place not in known and str(FULL_DECK[deck[place]]) not in opened]
        other = table(shuffled_among(deck, hidden, seed + 1), **extras)
        for _ in play(other, script):
            pass
        assert one.seen_by(*seats) == other.seen_by(*seats)

    see_the_same()


@pytest.mark.parametrize("variant", ["omaha", "omaha-hilo", "short-deck"])
def test_before_the_flop_nobody_sees_any_card_but_their_own(variant):
    trial = Trial(Holdem(), {"seats": 3, "variant": variant}, Lots(5))
    for seat in range(3):
        trial.join(seat)
    trial.start()
    for seat in range(3):
        own = trial.game.private(trial.state, seat)["cards"]
        assert len(own) == HOLE_CARDS[variant]
        seen = trial.seen_by(seat).decode()
        others = [
            card for place in range(3) if place != seat for card in trial.game.private(trial.state, place)["cards"]
        ]
        assert all(f'"{card}"' in seen for card in own)
        assert not any(f'"{card}"' in seen for card in others)


def test_the_deck_is_for_nobody_and_each_hand_for_one():
    trial = table(list(range(52)))
    audiences = {type(event): event.audience() for _, event in trial.log if event.audience() is not None}
    assert set(audiences) == {ev.DeckShuffled, ev.Dealt}
    assert audiences[ev.DeckShuffled] == ()
    assert [event.audience() for _, event in trial.log if isinstance(event, ev.Dealt)] == [
        (event.seat,) for _, event in trial.log if isinstance(event, ev.Dealt)
    ]


def test_the_order_of_the_deck_is_the_order_of_the_deal():
    trial = table(list(range(52)))
    order = trial.state.record.order
    hands = {event.seat: event.cards for _, event in trial.log if isinstance(event, ev.Dealt)}
    assert hands[order[0]] == ["2c", "3d"]
    assert hands[order[4]] == ["3c", "4d"]
    for word in ("call", "call", "call", "call", "check"):
        trial.act(trial.actor, word)
    assert trial.public["board"] == ["4h", "4s", "5c"]
