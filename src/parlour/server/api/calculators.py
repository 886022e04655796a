"""The card mathematics of the library, over HTTP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import wraps

import msgspec

from parlour.games.poker import equity as equities
from parlour.games.poker import hands
from parlour.games.poker import pots as dividing
from parlour.games.poker.legacy_score import legacy_score
from parlour.games.poker.pots import Amount, Pot
from parlour.server.api.problems import Fault
from parlour.server.api.routing import Access, ApiCall, Handler, Routes
from parlour.server.api.schema import (
    EquityAnswer,
    EquityQuestion,
    EquityShare,
    Evaluate,
    Evaluation,
    PlacedHand,
    PotsAnswer,
    PotShare,
    PotsQuestion,
    Returned,
    ShowdownAnswer,
    ShowdownQuestion,
)

routes = Routes("calculators")


CODES = (
    (
        "card_twice",
        r"is there twice|same card twice|two players hold|which is on the board|which is dead|on the board and dead",
    ),
    ("bad_cards", r"^not a card"),
    ("bad_range", r"^bad range item|^empty range|^empty item"),
    ("board_incomplete", r"five cards of the board"),
    ("bad_board", r"^a board has"),
    ("bad_hand", r"^a hand has|^the hand of seat \d+ is missing"),
    ("impossible_deal", r"exclude|^the range .* is empty|^the deck is too small"),
    ("everybody_folded", r"^everybody has folded"),
    ("too_many_players", r"^pots are made for|^equity takes"),
)
"""The library refuses in sentences; a page in another language needs a code. The tests hold the two together."""


def fault_code(sentence: str) -> str:
    return next((code for code, pattern in CODES if re.search(pattern, sentence)), "invalid")


def _explained(handler: Callable[[ApiCall], Awaitable[object]]) -> Handler:
    """What the library refuses is the caller's fault, and the library says which."""

    @wraps(handler)
    async def explained(call: ApiCall) -> object:
        try:
            return await handler(call)
        except (ValueError, TypeError) as error:
            raise Fault(422, f"{error}.", fault_code(str(error))) from None

    return explained


@routes.add("POST", "/api/v1/evaluate", access=Access.ANYONE, body=Evaluate, answer=Evaluation)
@_explained
async def evaluate(call: ApiCall) -> Evaluation:
    """What five, six or seven cards are worth in hold'em."""
    return _evaluation(call.body.cards)


def _evaluation(cards: str) -> Evaluation:
    hand = hands.evaluate(cards)
    return Evaluation(
        rank=hand.rank,
        category=str(hand.category),
        name=hand.name,
        made=hand.made,
        cards=[str(card) for card in hand.cards],
        score=hand.score,
        legacy_score=legacy_score(cards),
    )


@routes.add("POST", "/api/v1/pots", access=Access.ANYONE, body=PotsQuestion, answer=PotsAnswer)
@_explained
async def pots(call: ApiCall) -> PotsAnswer:
    """The main pot and the side pots that stakes make, and who plays for each."""
    found = dividing.pots(call.body.stakes, folded=call.body.folded)
    return PotsAnswer(pots=[_share(pot) for pot in found], returned=_returned(found.returned))


def _share(pot: Pot) -> PotShare:
    """Whole stakes make whole pots."""
    return PotShare(int(pot.amount), pot.contestants, pot.winners, [int(share) for share in pot.shares])


def _returned(returned: tuple[int, Amount] | None) -> Returned | None:
    return Returned(returned[0], int(returned[1])) if returned else None


@routes.add("POST", "/api/v1/showdown", access=Access.ANYONE, body=ShowdownQuestion, answer=ShowdownAnswer)
@_explained
async def showdown(call: ApiCall) -> ShowdownAnswer:
    """Who wins which pot, and what each seat gets, to the odd chip."""
    asked = call.body
    folded = [seat for seat, hand in enumerate(asked.hands) if hand is None]
    found = dividing.showdown(
        asked.board,
        [hand or "" for hand in asked.hands],
        asked.stakes,
        folded=folded,
        button=asked.button,
        smallest_chip=asked.smallest_chip,
    )
    return ShowdownAnswer(
        pots=[_share(pot) for pot in found.pots],
        payouts=[int(payout) for payout in found.payouts],
        returned=_returned(found.returned),
        hands=_placed(asked.board, asked.hands),
    )


def _placed(board: str, held: list[str | None]) -> list[PlacedHand | None]:
    if sum(hand is not None for hand in held) < 2:
        return [None] * len(held)
    found = [None if hand is None else _evaluation(f"{hand} {board}") for hand in held]
    ranks = [one.rank for one in found if one is not None]
    return [
        None
        if one is None
        else PlacedHand(**msgspec.structs.asdict(one), place=1 + sum(rank > one.rank for rank in ranks))
        for one in found
    ]


@routes.add("POST", "/api/v1/equity", access=Access.ANYONE, body=EquityQuestion, answer=EquityAnswer)
@_explained
async def equity(call: ApiCall) -> EquityAnswer:
    """How often each of several hands or ranges wins: exact where that is quick, else an estimate with its error."""
    asked = call.body
    with call.site.admission.calculation(call.address):
        async with call.site.calculating:
            found = await asyncio.to_thread(
                equities.equity, asked.hands, board=asked.board, dead=asked.dead, trials=asked.trials, threads=1
            )
    return EquityAnswer(
        players=[EquityShare(player.win, player.tie, player.equity) for player in found.players],
        exact=found.exact,
        boards=found.boards,
        stderr=found.stderr,
    )
