"""`parlour eval`: what hands are worth."""

from __future__ import annotations

from parlour.cli._terminal import Parser, TextTable, print_json, show
from parlour.games.cards import format_cards, parse_cards
from parlour.games.poker.hands import (
    HandRank,
    LowRank,
    evaluate,
    evaluate_low,
    evaluate_omaha,
    evaluate_omaha_low,
)
from parlour.games.poker.legacy_score import legacy_score

GAMES = ("holdem", "omaha", "short-deck")
"""How a hand is put together and ranked."""


def arguments(parser: Parser) -> None:
    parser.add_argument("hands", nargs="+", metavar="HAND", help="5 to 7 cards each, or hole cards with --board.")
    parser.add_argument("--board", default="", metavar="CARDS", help="Cards that all hands share.")
    parser.add_argument(
        "--game", choices=GAMES, default="holdem", help="Omaha takes exactly two hole cards and three of the board."
    )
    parser.add_argument("--low", action="store_true", help="Rank for ace-to-five low in place of high.")
    parser.add_argument("--legacy", action="store_true", help="Show the older evaluator's score as well.")
    parser.add_json()


def command(hands: list[str], board: str, game: str, low: bool, legacy: bool, json: bool) -> None:
    """Evaluate hands: the five cards that count, their name, rank and score; several hands are compared."""
    if len(hands) > 1 and all(len(parse_cards(hand)) == 1 for hand in hands):
        hands = [" ".join(hands)]  # one hand, typed without quotes
    if legacy and (low or game != "holdem"):
        raise ValueError("the older evaluator scores high hands of hold'em only")
    found = [_evaluate(hand, board, game, low) for hand in hands]
    older = [{"legacy_score": legacy_score(f"{hand} {board}")} if legacy else {} for hand in hands]
    places = [1 + sum(other.rank > one.rank for other in found) for one in found]
    if json:
        print_json([_record(*row) for row in zip(hands, found, places, older, strict=True)])
        return
    several = len(found) > 1
    scores = [] if low else [">score", ">legacy score"] if legacy else [">score"]
    rows = TextTable("hand", "best five", "name", ">rank", *scores, *([">place"] if several else []))
    for hand, one, place, other in zip(hands, found, places, older, strict=True):
        score = [] if isinstance(one, LowRank) else [f"{one.score:g}"]
        score += [f"{figure:.3f}" for figure in other.values()]
        rows.add_row(hand, format_cards(one.cards), one.name, str(one.rank), *score, *([str(place)] if several else []))
    show(rows)


def _evaluate(hand: str, board: str, game: str, low: bool) -> HandRank | LowRank:
    if game == "omaha":
        found = evaluate_omaha_low(hand, board, eight_or_better=False) if low else evaluate_omaha(hand, board)
        assert found is not None  # every hand has a low where none must qualify
        return found
    cards = parse_cards(f"{hand} {board}")
    if not low:
        return evaluate(cards, game="short-deck" if game == "short-deck" else "holdem")
    if game == "short-deck":
        raise ValueError("short deck has no low hands")
    return evaluate_low(cards)


def _record(hand: str, found: HandRank | LowRank, place: int, older: dict[str, float]) -> dict[str, object]:
    record: dict[str, object] = {
        "hand": hand,
        "cards": format_cards(found.cards),
        "name": found.name,
        "rank": found.rank,
    }
    if not isinstance(found, LowRank):
        record |= {"category": found.category.value, "score": found.score}
    return {**record, **older, "place": place}
