"""A hand as JSON: what is written natively says what the hand says when it is asked piece by piece."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour._core import Hand, choice_json, hand_code, hand_name, private_json, public_json, result_json

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
    rows: list[bytes | tuple[bytes, int, int, bool, bool] | None] = [
        (b'{"seat":%d' % (2 * place), place, place, True, False) for place in places
    ]
    seats = [2 * place for place in places]
    return json.loads(
        public_json(hand, b"{", ["As", "2c"], seats, None, [None] * hand.seats, rows, None, None)
    ), json.loads(choice_json(hand))


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
                "seat": 2 * place, "stack": stack + place, "bet": bet, "contributed": paid,
                "call": hand.to_call(place), "status": status, "holds": held, "last": None,
            }  # fmt: skip
        legal, actor = hand.legal(), hand.actor
        assert legal is not None
        assert actor is not None
        call, most, bet, stack = legal.call, legal.max_raise_to, hand.bets[actor], hand.stacks[actor]
        kinds = ["fold", "call" if call else "check", *(["raise" if call or any(hand.bets) else "bet"] if most else [])]
        if hand.all_in_to():
            kinds.append("allin")
        assert choice == {
            "actions": kinds, "call": call, "min": legal.min_raise_to, "max": most,
            "pot": hand.pot, "bet": bet, "stack": stack,
            "call_all_in": call == stack, "all_in": hand.all_in_to(),
            "sizes": [dict(zip(("name", "percent", "to"), size, strict=True)) for size in hand.sizes()],
        }  # fmt: skip
        act(hand, data)
    assert choice_json(hand) == b"null"
    check_result(hand, data.draw(st.sets(st.integers(0, hand.seats - 1))), data.draw(st.integers(0, hand.seats - 1)))


def check_result(hand: Hand, shown: set[int], left: int) -> None:
    """The result, where some have shown and one has left the table, and what the events at the end are made from."""
    seats = [2 * place for place in range(hand.seats)]
    pots = [
        (pot.amount, [2 * place for place in pot.contestants], [2 * place for place in pot.winners], pot.shares)
        for pot in hand.pots()
    ]
    payouts = {2 * place: chips for place, chips in enumerate(hand.payouts() or []) if chips}
    assert hand.settlement(seats) == (pots, payouts, {2 * place: chips for place, chips in enumerate(hand.stacks)})
    board = len(hand.board)
    hands = {2 * place: [CARDS[card] for card in hand.hole(place)] for place in shown}
    worth: dict[int, tuple[str | None, list[str] | None, str | None]] = {2 * left: (None, None, None)}
    for place in shown:
        name, best, made = None, None, None
        if board:
            _, five = hand.best(place, board)
            name, best, made = hand_name(five), [CARDS[card] for card in five], hand_code(five)
        assert hand.face_up(place, board) == (hands[2 * place], name, made)
        worth.setdefault(2 * place, (name, best, made))
    back = hand.returned
    assert json.loads(result_json(hand, 7, board, seats, [2 * left], hands)) == {
        "hand": 7,
        "pots": [
            {
                **dict(zip(("amount", "seats", "winners", "shares"), pot, strict=True)),
                "made": winning_code(hand, pot[1:3]),
            }
            for pot in pots
        ],
        "payouts": {str(seat): chips for seat, chips in payouts.items()},
        "returned": back and {"seat": 2 * back[0], "amount": back[1]},
        "shown": {
            str(seat): {"cards": cards, **dict(zip(("name", "best", "made"), worth[seat], strict=True))}
            for seat, cards in hands.items()
        },
        "reason": "showdown" if hand.showdown() else "fold",
    }


def winning_code(hand: Hand, pot: tuple[list[int], list[int]]) -> str | None:
    """What all winners of a contested pot hold."""
    contestants, winners = pot
    if len(contestants) == 1:
        return None
    (code,) = {hand_code(hand.best(seat // 2, 5)[1]) for seat in winners}
    return code


def test_a_page_is_put_together_from_what_it_is_given() -> None:
    hand = Hand([100, 100], deck=list(range(9)))
    deeds: list[tuple[str, int, bool | None] | None] = [("small_blind", 1, None), ("raise", 100, True)]
    page = public_json(
        hand,
        b'{"hand":3,',
        [],
        [4, 1],
        1,
        deeds,
        [None, (b'{"seat":1', 1, 5, True, False), b'{"seat":2}', (b'{"seat":0', 0, 0, False, False)],
        None,
        b'[{"board":3}]',
    )
    read = json.loads(page)
    assert (read["hand"], read["actor"], read["aggressor"], read["result"]) == (3, 1, 1, None)
    assert read["run_out"] == [{"board": 3}]
    mine, other, first = read["players"]
    assert (mine["seat"], mine["stack"], mine["last"]) == (1, 104, {"type": "raise", "amount": 100, "all_in": True})
    assert other == {"seat": 2}
    assert first["last"] == {"type": "small_blind", "amount": 1}
    assert (mine["holds"], first["holds"]) == (2, 0)


def test_when_a_hand_is_over_there_are_chips_behind_and_no_bets() -> None:
    hand = Hand([100, 100, 100, 100], deck=list(range(13)))
    for _ in range(3):
        hand.act("fold")
    rows: list[bytes | tuple[bytes, int, int, bool, bool] | None] = [
        (b'{"seat":0', 0, 7, True, False),
        (b'{"seat":1', 1, 8, True, True),
        (b'{"seat":2', 2, 0, True, True),
        (b'{"seat":3', 3, 9, True, False),
    ]
    deeds: list[tuple[str, int, bool | None] | None] = [("fold", 0, False), None, None, None]
    page = json.loads(public_json(hand, b"{", [], [0, 1, 2, 3], 3, deeds, rows, b'{"hand":1}', None))
    players = page.pop("players")
    assert page == {
        "street": None, "board": [], "actor": None, "aggressor": 3, "pot": 0, "pots": [], "result": {"hand": 1},
        "run_out": None,
    }  # fmt: skip
    assert players[0] == {
        "seat": 0, "stack": 7, "bet": 0, "contributed": 0, "call": 0, "status": "active", "holds": 0,
        "last": {"type": "fold", "amount": 0, "all_in": False},
    }  # fmt: skip
    assert [player["status"] for player in players] == ["active", "sitting_out", "busted", "active"]
    assert [player["holds"] for player in players].count(2) == 1


@pytest.mark.parametrize("variant", ["holdem", "omaha", "omaha5", "omaha6", "short-deck"])
def test_one_sees_ones_own_cards_and_what_they_are_worth(variant: str) -> None:
    hand = Hand([100, 100, 100], variant=variant)
    for board in (0, 3, 4, 5):
        for seat in range(3):
            page: dict[str, Any] = {"cards": [CARDS[card] for card in hand.hole(seat)], "rank": None, "best": None}
            page["made"] = None
            if board:
                _, five = hand.best(seat, board)
                page["rank"], page["best"] = hand_name(five), [CARDS[card] for card in five]
                page["made"] = hand_code(five)
            assert json.loads(private_json(hand, seat, board)) == page
        for _ in range(3):
            if not hand.done:
                hand.act(1)


GOOD: dict[str, Any] = {
    "head": b"{", "board": [], "seats": [0, 1], "aggressor": None, "deeds": [None, None],
    "rows": [(b"{\"seat\":0", 0, 0, True, False)], "result": None, "run_out": None,
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
        {"rows": [(b'{"seat":0', 2, 0, True, False)]},
        {"rows": [(b'{"seat":0', -1, 0, True, False)]},
        {"rows": [(b'{"seat":0', 0, -1, True, False)]},
        {"rows": [(b'{"seat":0', 0, 0, 1, False)]},
        {"rows": [(b'{"seat":0', 0, 0, True, None)]},
        {"rows": [(b'{"seat":0', 0, 0)]},
        {"result": "null"},
        {"run_out": []},
    ],
)
def test_what_cannot_be_on_a_page_is_refused(wrong: dict[str, Any]) -> None:
    hand = Hand([100, 100])
    json.loads(public_json(hand, **GOOD))
    with pytest.raises((TypeError, ValueError)):
        public_json(hand, **(GOOD | wrong))


@pytest.mark.parametrize(("seat", "board"), [(2, 0), (-1, 0), (0, 3), (0, -1), ("0", 0), (0, None)])
def test_cards_that_are_not_there_are_refused(seat: Any, board: Any) -> None:
    hand = Hand([100, 100])
    for read in (private_json, Hand.face_up):
        with pytest.raises((TypeError, ValueError)):
            read(hand, seat, board)


ENDED: dict[str, Any] = {"number": 1, "board": 0, "seats": [0, 1], "gone": [], "shown": {0: ["As", "Ks"]}}


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": "1"},
        {"board": 3},
        {"seats": [0]},
        {"seats": [0, 1, 2]},
        {"gone": ["0"]},
        {"shown": {"0": ["As"]}},
        {"shown": {0: "As"}},
        {"shown": {0: [51]}},
        {"shown": {0: ["As"] * 7}},
        {"shown": {seat: ["As"] for seat in range(11)}},
    ],
)
def test_what_cannot_be_a_result_is_refused(wrong: dict[str, Any]) -> None:
    hand = Hand([100, 100])
    with pytest.raises(ValueError, match="over"):
        result_json(hand, **ENDED)
    with pytest.raises(ValueError, match="over"):
        hand.settlement([0, 1])
    hand.act("fold")
    json.loads(result_json(hand, **ENDED))
    with pytest.raises((TypeError, ValueError)):
        result_json(hand, **(ENDED | wrong))
    with pytest.raises(ValueError, match="each seat"):
        hand.settlement([0])


def test_a_hand_that_is_shown_in_part_does_not_tell_what_it_is_worth() -> None:
    """One card is turned over: name, best five cards and code would tell the other."""
    hand = Hand([100, 100], deck=list(range(52)))
    for _ in range(8):
        hand.act(1)
    whole, part = (
        json.loads(result_json(hand, 1, 5, [0, 1], [], {0: cards}))["shown"]["0"]
        for cards in ([CARDS[card] for card in hand.hole(0)], [CARDS[hand.hole(0)[0]]])
    )
    assert whole["name"] is not None
    assert part == {"cards": [CARDS[hand.hole(0)[0]]], "name": None, "best": None, "made": None}


def test_nobody_has_a_choice_while_the_board_is_to_be_run() -> None:
    hand = Hand([100, 100], runs=2, deck=list(range(52)))
    hand.act("allin"), hand.act("call")
    assert choice_json(hand) == b"null"
    page = json.loads(public_json(hand, b"{", [], [0, 1], None, [None, None], [], None, None))
    assert (page["actor"], page["pot"]) == (None, 200)
