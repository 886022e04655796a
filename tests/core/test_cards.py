"""The notations of cards and the deck."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import _core
from parlour.games.cards import FULL_DECK, SHORT_DECK, Card, Deck, format_cards, parse_cards

# A busy machine must not fail a property: only what is found counts, not how long it took.


RANKS = "23456789TJQKA"
SUITS = "cdhs"
WORDS = ("Club", "Diamond", "Heart", "Spade")
SYMBOLS = "♣♦♥♠"


def test_a_card_is_four_times_its_rank_and_its_suit():
    assert [str(Card(i)) for i in range(52)] == [rank + suit for rank in RANKS for suit in SUITS]
    assert [int(Card(rank + suit)) for rank in RANKS for suit in SUITS] == list(range(52))
    assert (Card("2c"), Card("2d"), Card("2h"), Card("2s"), Card("As")) == (0, 1, 2, 3, 51)


@pytest.mark.parametrize("card", FULL_DECK, ids=str)
def test_every_notation_reads_every_card(card: Card):
    rank, suit = RANKS[card.rank], SUITS[card.suit]
    low_ace = card.rank + 2 if card.rank < 12 else 1
    notations: list[object] = [
        rank + suit,
        rank.lower() + suit.upper(),
        rank + SYMBOLS[card.suit],
        rank + "♧♢♡♤"[card.suit],
        rank + SYMBOLS[card.suit] + "\ufe0f",
        f"{card.rank + 2} {WORDS[card.suit]}",
        f"{card.rank + 2} {WORDS[card.suit].lower()}s",
        (str(card.rank + 2), WORDS[card.suit]),
        (card.rank + 2, WORDS[card.suit]),
        f"{low_ace}-{suit}",
        f"{low_ace}-{suit.upper()}",
        f"{card.rank + 2}-{WORDS[card.suit]}",
        int(card),
    ]
    if rank == "T":
        notations += ["10" + suit, "0" + suit, "0" + suit.upper(), "10" + SYMBOLS[card.suit]]
    for notation in notations:
        assert _core.parse_cards((notation,)) == [card], notation


def test_one_notation_is_written():
    assert format_cards(["1-s", "0H", ("14", "Club"), "10♦"]) == "As Th Ac Td"
    assert str(Card("0D")) == f"{Card('10d')}" == "Td"
    assert Card("As").symbol == "A♠"
    assert repr(Card(51)) == "Card('As')"


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("AsKs", "As Ks"),
        ("As Ks", "As Ks"),
        (" As,Ks ", "As Ks"),
        ("A♠K♥10♦", "As Kh Td"),
        ("10h9c", "Th 9c"),
        ("2c10h", "2c Th"),
        ("14 Club 13 Hearts 2 Spade", "Ac Kh 2s"),
        ("1-c 13-s 10-d", "Ac Ks Td"),
        ("0D 0C AS", "Td Tc As"),
        ("", ""),
    ],
)
def test_texts_of_several_cards(text: str, cards: str):
    assert format_cards(parse_cards(text)) == cards


@pytest.mark.parametrize(
    "text",
    [
        "A",
        "s",
        "sA",
        "1s",
        "14s",
        "14-c",
        "0-c",
        "15 Club",
        "1 Club",
        "11c",
        "100c",
        "Ax",
        "Zs",
        "A s",
        "As♠",
        "As-",
        "½c",
        "A\0",
        "🂡",
    ],
)
def test_what_is_no_card_is_named(text: str):
    with pytest.raises(ValueError, match="not a card"):
        parse_cards(text)
    with pytest.raises(ValueError, match="Xy"):
        parse_cards("As Xy Kd")


def test_long_and_odd_texts_are_quoted_in_part():
    with pytest.raises(ValueError, match=r"^not a card: '♠+'$"):
        parse_cards("♠" * 1000)
    with pytest.raises(ValueError, match="surrogates"):
        parse_cards("A\ud800")


@pytest.mark.parametrize("number", [-1, 52, 255, 10**30, -(10**30)])
def test_numbers_out_of_the_deck_are_refused(number: int):
    with pytest.raises(ValueError, match="not a card"):
        Card(number)


@pytest.mark.parametrize("cards", ["As As", "As Kd A♠", ["As", 51], [("14", "Spade"), "1-s"]])
def test_a_card_is_not_there_twice(cards: object):
    with pytest.raises(ValueError, match="the card As is there twice"):
        _core.parse_cards(cards)  # type: ignore[arg-type]  # mixed forms on purpose


@pytest.mark.parametrize("cards", [None, 51, 1.5, b"AsKs", bytearray(b"As"), {"As": 1}, {"As"}, object(), iter(["As"])])
def test_other_types_are_type_errors(cards: object):
    with pytest.raises(TypeError, match="cards are a string or a sequence"):
        _core.parse_cards(cards)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("item", [None, 1.0, True, b"As", ["A", "s"], ("A", "s", "x"), object()])
def test_other_types_in_a_sequence_are_type_errors(item: object):
    with pytest.raises(TypeError, match="a card is a string or a number, not"):
        _core.parse_cards([item])  # type: ignore[list-item]  # wrong on purpose


def test_a_string_in_a_sequence_is_one_card():
    with pytest.raises(ValueError, match="one card is expected"):
        _core.parse_cards(["As Ks"])
    with pytest.raises(ValueError, match="one card is expected"):
        Card("")
    with pytest.raises(ValueError, match="not a card"):
        _core.parse_cards([("14", "Club 2c")])


def test_cards_keep_their_type_through_pickle():
    copy = pickle.loads(pickle.dumps(Card("As")))
    assert type(copy) is Card
    assert copy == Card("As")


def test_a_list_may_change_while_it_is_read():
    cards: list[object] = []

    class Rude:
        def __index__(self) -> int:
            cards.clear()
            return 3

    cards += [Rude(), "As", "Ks"]
    assert _core.parse_cards(cards) == [3]  # type: ignore[arg-type]  # wrong on purpose


def test_decks():
    assert len(FULL_DECK) == 52
    assert format_cards(SHORT_DECK[:4]) == "6c 6d 6h 6s"
    assert len(SHORT_DECK) == 36
    deck = Deck("As Ks Qs")
    assert deck.deal(2) == (Card("As"), Card("Ks"))
    assert list(deck) == [Card("Qs")]
    assert Card("Qs") in deck
    assert Card("As") not in deck
    assert repr(deck) == "Deck('Qs')"
    with pytest.raises(ValueError, match="1 are left"):
        deck.deal(2)
    with pytest.raises(ValueError, match="cannot deal -1"):
        deck.deal(-1)
    with pytest.raises(ValueError, match="twice"):
        Deck("As As")
    assert len(Deck()) == 52


@given(st.lists(st.sampled_from(FULL_DECK), unique=True))
def test_what_is_written_is_read(cards: list[Card]):
    text = format_cards(cards)
    assert list(parse_cards(text)) == cards
    assert list(parse_cards(text.replace(" ", ""))) == cards
    assert list(parse_cards("".join(card.symbol for card in cards))) == cards


@given(st.text() | st.text(alphabet="023AKTskcdh♠♥-1 4,Club"))
def test_any_text_is_read_or_a_value_error(text: str):
    try:
        cards = parse_cards(text)
    except ValueError:
        return
    assert parse_cards(format_cards(cards)) == cards
