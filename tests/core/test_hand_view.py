"""A hand as JSON: what is written natively says what the hand says when it is asked piece by piece."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour._core import Hand, choice_json, private_json, public_json

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@st.composite
def short_stacked(draw: st.DrawFn) -> Hand:
    """Stacks so different that side pots are the rule."""
    seats = draw(st.integers(2, 6))
    variant = draw(st.sampled_from(["holdem", "omaha", "omaha6", "short-deck"]))
    return Hand(
        draw(st.lists(st.sampled_from([1, 2, 7, 25, 60, 10**9]), min_size=seats, max_size=seats)),
        blinds=(1, 2),
        ante=draw(st.sampled_from([0, 1])),
        button=draw(st.integers(0, seats - 1)),
        variant=variant,
        deck=draw(st.permutations(range(16 if variant == "short-deck" else 0, 52))),
    )


def act(hand: Hand, data: st.DataObject) -> None:
    legal = hand.legal()
    assert legal is not None
    others = [place for place in range(hand.seats) if not hand.folded[place] and not hand.all_in[place]]
    kind = data.draw(st.sampled_from(["check" if legal.check else "call"] * 4 + ["fold", "raise", "leave"]))
    if kind == "leave":
        hand.fold_out_of_turn(data.draw(st.sampled_from(others)))
    elif kind == "raise" and legal.max_raise_to:
        hand.act(kind, data.draw(st.sampled_from([legal.min_raise_to, legal.max_raise_to])))
    else:
        hand.act("fold" if kind == "raise" else kind)


def pages(hand: Hand) -> tuple[Any, Any]:
    """The public page for rows of nothing but a seat, and the choice."""
    places = range(hand.seats)
    rows: list[bytes | tuple[bytes, int, int] | None] = [
        (b'{"seat":%d' % (2 * place), place, place) for place in places
    ]
    seats = [2 * place for place in places]
    return json.loads(public_json(hand, b"{", ["As", "2c"], seats, None, [None] * hand.seats, rows)), json.loads(
        choice_json(hand)
    )


@given(short_stacked(), st.data())
@settings(max_examples=150)
def test_the_pages_say_what_the_hand_says(hand: Hand, data: st.DataObject) -> None:
    street, before = -1, []
    while not hand.done:
        if hand.street != street:
            street, before = hand.street, hand.pots() if hand.street else []
        page, choice = pages(hand)
        left = {place for place in range(hand.seats) if not hand.folded[place]}
        expected = [(pot.amount, [place for place in pot.contestants if place in left]) for pot in before]
        assert hand.pots_before() == expected
        assert page["pots"] == [
            {"amount": chips, "seats": [2 * place for place in places]} for chips, places in expected
        ]
        assert (page["street"], page["board"]) == (("preflop", "flop", "turn", "river")[street], ["As", "2c"])
        assert (page["actor"], page["pot"]) == (2 * (hand.actor or 0), hand.pot)
        for place, row in enumerate(page["players"]):
            stack, bet, paid, held, all_in = hand.standing(place)
            status = "allin" if all_in else "active" if held else "folded"
            assert row == {
                "seat": 2 * place, "stack": stack + place, "bet": bet, "contributed": paid, "status": status,
                "holds": held, "last": None,
            }  # fmt: skip
        decision = hand.decision()
        assert decision is not None
        call, least, most, pot, bet, stack, unopened = decision
        kinds = ["fold", "call" if call else "check", *(["bet" if unopened else "raise"] if most else [])]
        if most == bet + stack or (not most and call == stack):
            kinds.append("allin")
        assert choice == {"actions": kinds, "call": call, "min": least, "max": most, "pot": pot, "bet": bet}
        act(hand, data)
    assert choice_json(hand) == b"null"


def test_a_page_is_put_together_from_what_it_is_given() -> None:
    hand = Hand([100, 100], deck=list(range(9)))
    deeds: list[tuple[str, int, bool | None] | None] = [("small_blind", 1, None), ("raise", 100, True)]
    page = public_json(
        hand, b'{"hand":3,', [], [4, 1], 1, deeds, [None, (b'{"seat":1', 1, 5), b'{"seat":2}', (b'{"seat":0', 0, 0)]
    )
    read = json.loads(page)
    assert (read["hand"], read["actor"], read["aggressor"], read["result"]) == (3, 1, 1, None)
    mine, other, first = read["players"]
    assert (mine["seat"], mine["stack"], mine["last"]) == (1, 104, {"type": "raise", "amount": 100, "all_in": True})
    assert other == {"seat": 2}
    assert first["last"] == {"type": "small_blind", "amount": 1}


@pytest.mark.parametrize("variant", ["holdem", "omaha", "omaha5", "omaha6", "short-deck"])
def test_one_sees_ones_own_cards_and_what_they_are_worth(variant: str) -> None:
    hand = Hand([100, 100, 100], variant=variant)
    for board in (0, 3, 4, 5):
        for seat in range(3):
            page: dict[str, Any] = {"cards": [CARDS[card] for card in hand.hole(seat)], "rank": None, "best": None}
            names: list[str | None] = [None] * 7463
            if board:
                assert private_json(hand, seat, board, names) is None
                rank, five = hand.best(seat, board)
                names[rank] = page["rank"] = 'a "hand"\\\n\x1fü'
                page["best"] = [CARDS[card] for card in five]
            assert json.loads(private_json(hand, seat, board, names) or b"") == page
        for _ in range(3):
            if not hand.done:
                hand.act(1)


GOOD: dict[str, Any] = {
    "head": b"{", "board": [], "seats": [0, 1], "aggressor": None, "deeds": [None, None],
    "rows": [(b"{\"seat\":0", 0, 0)],
}  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"head": "{"},
        {"board": ["2c"] * 6},
        {"board": [0]},
        {"seats": [0]},
        {"seats": [0, "1"]},
        {"aggressor": "1"},
        {"deeds": [None]},
        {"deeds": [("fold", 0), None]},
        {"deeds": [("fold", -1, False), None]},
        {"deeds": [(b"fold", 0, False), None]},
        {"rows": [None] * 11},
        {"rows": ["{}"]},
        {"rows": [(b'{"seat":0', 2, 0)]},
        {"rows": [(b'{"seat":0', -1, 0)]},
        {"rows": [(b'{"seat":0', 0, -1)]},
        {"rows": [(b'{"seat":0', 0)]},
    ],
)
def test_what_cannot_be_on_a_page_is_refused(wrong: dict[str, Any]) -> None:
    hand = Hand([100, 100])
    json.loads(public_json(hand, **GOOD))
    with pytest.raises((TypeError, ValueError)):
        public_json(hand, **(GOOD | wrong))


@pytest.mark.parametrize(
    ("seat", "board", "names"),
    [(2, 0, []), (-1, 0, []), (0, 3, [None] * 7463), (0, -1, []), ("0", 0, []), (0, 0, None)],
)
def test_cards_that_are_not_there_are_refused(seat: Any, board: int, names: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        private_json(Hand([100, 100]), seat, board, names)


def test_every_rank_has_a_place_for_its_name() -> None:
    hand = Hand([100, 100])
    hand.act("call")
    hand.act("check")
    with pytest.raises(ValueError, match="every rank"):
        private_json(hand, 0, 3, ["none"])
