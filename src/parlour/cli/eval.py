"""`parlour eval`: what hands are worth."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from parlour.cli._terminal import Json, print_json, show, table
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

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Game(StrEnum):
    """How a hand is put together and ranked."""

    HOLDEM = "holdem"
    OMAHA = "omaha"
    SHORT_DECK = "short-deck"


@app.command("eval")
def command(
    hands: Annotated[
        list[str], typer.Argument(help="5 to 7 cards each, or hole cards with --board.", metavar="HAND...")
    ],
    board: Annotated[str, typer.Option(help="Cards that all hands share.", metavar="CARDS")] = "",
    game: Annotated[
        Game, typer.Option(help="Omaha takes exactly two hole cards and three of the board.")
    ] = Game.HOLDEM,
    low: Annotated[bool, typer.Option("--low", help="Rank for ace-to-five low in place of high.")] = False,
    legacy: Annotated[bool, typer.Option("--legacy", help="Show the older evaluator's score as well.")] = False,
    json: Json = False,
) -> None:
    """Evaluate hands: the five cards that count, their name, rank and score; several hands are compared."""
    if len(hands) > 1 and all(len(parse_cards(hand)) == 1 for hand in hands):
        hands = [" ".join(hands)]  # one hand, typed without quotes
    if legacy and (low or game is not Game.HOLDEM):
        raise ValueError("the older evaluator scores high hands of hold'em only")
    found = [_evaluate(hand, board, game, low) for hand in hands]
    older = [{"legacy_score": legacy_score(f"{hand} {board}")} if legacy else {} for hand in hands]
    places = [1 + sum(other.rank > one.rank for other in found) for one in found]
    if json:
        print_json([_record(*row) for row in zip(hands, found, places, older, strict=True)])
        return
    several = len(found) > 1
    scores = [] if low else [">score", ">legacy score"] if legacy else [">score"]
    rows = table("hand", "best five", "name", ">rank", *scores, *([">place"] if several else []))
    for hand, one, place, other in zip(hands, found, places, older, strict=True):
        score = [] if isinstance(one, LowRank) else [f"{one.score:g}"]
        score += [f"{figure:.3f}" for figure in other.values()]
        rows.add_row(hand, format_cards(one.cards), one.name, str(one.rank), *score, *([str(place)] if several else []))
    show(rows)


def _evaluate(hand: str, board: str, game: Game, low: bool) -> HandRank | LowRank:
    if game is Game.OMAHA:
        found = evaluate_omaha_low(hand, board, eight_or_better=False) if low else evaluate_omaha(hand, board)
        assert found is not None  # every hand has a low where none must qualify
        return found
    cards = parse_cards(f"{hand} {board}")
    if not low:
        return evaluate(cards, game="short-deck" if game is Game.SHORT_DECK else "holdem")
    if game is Game.SHORT_DECK:
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
