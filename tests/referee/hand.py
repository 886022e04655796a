"""One hand as a table's log tells it, checked event by event against the rules.

Events are plain dictionaries, as they are in JSON. Whatever differs from the rule book is a `Fault`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from . import pots, ranks
from .betting import FLOP, Betting, Choice, Refused, Terms
from .pots import Part, Pot, Worth

EventData: TypeAlias = Mapping[str, Any]

STREETS = ("preflop", "flop", "turn", "river")
BOARD_BEFORE = (0, 0, 3, 4)
"""How many cards lie before each street's own come."""
BOARD_AFTER = (0, 3, 4, 5)
HOLE_CARDS = {"holdem": 2, "short-deck": 2, "omaha": 4, "omaha-hilo": 4, "omaha5": 5, "omaha5-hilo": 5, "omaha6": 6}


class Fault(AssertionError):
    """What the log says is not what the rules say."""


def expect(what: str, here: Any, rule: Any) -> None:
    if here != rule:
        raise Fault(f"{what}: {here} in the log, {rule} by the rules")


class Hand:
    """A hand from `hand_started` to `hand_ended`."""

    def __init__(self, opening: EventData) -> None:
        self.opening = opening
        self.variant: str = opening.get("variant", "holdem")
        self.bomb: int = opening.get("bomb", 0)
        self.double = opening.get("boards", 1) == 2
        self.order = [int(seat) for seat in opening["stacks"]]
        self.betting = Betting(self._terms())
        self.owed = self._post()
        self.betting.begin()
        self.deck: list[ranks.Card] = []
        self.holes: dict[int, list[ranks.Card]] = {}
        self.boards: list[list[ranks.Card]] = [[], []] if self.double else [[]]
        self.returned: tuple[int, int] | None = None
        self.shown: list[int] = []
        self.mucked: list[int] = []
        self.answers: dict[int, int] = {}
        self.offer: EventData | None = None
        self.runs = 1
        self.dealt_runs = False
        self.ended = False
        self.result: EventData | None = None
        self.gone: set[int] = set()
        """Seats whose player has left: whoever sits there now has no part in the hand."""
        self.shared = 0
        """How many cards lay on the board when it was agreed to run the rest several times."""
        self.stacks: dict[int, int] = {}
        self.pots: list[Pot] = []
        self.bounty: EventData | None = None
        self.bounty_paid: dict[int, int] = {}
        self.open_hands: set[int] = set()
        """Seats whose whole hand was shown."""
        self._first_of_two: EventData = {}
        if self.double:
            expect("the cards of two boards", "enough" if self._board_at(2) <= self._deck_size else "few", "enough")
        expect("the first to act", opening.get("to_act"), self.betting.actor)

    # Before the cards

    @property
    def _deck_size(self) -> int:
        return 36 if self.variant == "short-deck" else 52

    def _terms(self) -> Terms:
        opening = self.opening
        small, big = opening["blinds"]
        straddle = opening.get("straddle", 0)
        stacks = {seat: opening["stacks"][seat] for seat in opening["stacks"]}
        terms = Terms(
            stacks={int(seat): chips for seat, chips in stacks.items()},
            big_blind=big,
            limit=opening.get("limit", "no-limit"),
            cap=opening.get("cap", 4),
        )
        if self.bomb:
            terms.first_street = FLOP
            return terms
        terms.last_blind = opening["big_blind"]
        terms.blind_price = big
        due = big if opening.get("button_blind") else small + big
        if straddle:
            terms.last_blind = opening["straddler"]
            terms.blind_price = straddle
            terms.counted = 2
        terms.missing = due  # less what is paid, below
        return terms

    def _post(self) -> dict[int, dict[str, int]]:
        """Pay antes and blinds; what each seat has to be said to have posted, by kind."""
        opening, betting = self.opening, self.betting
        paid: dict[int, dict[str, int]] = {seat: {} for seat in self.order}

        def pay(seat: int, amount: int, kind: str, name: str) -> None:
            if chips := betting.post(seat, amount, kind):
                paid[seat][name] = paid[seat].get(name, 0) + chips

        if self.bomb:
            for seat in self.order:
                pay(seat, self.bomb, "ante", "ante")
            return paid
        ante, small, big = opening.get("ante", 0), opening["small_blind"], opening["big_blind"]
        for_all = ante if opening.get("ante_type", "each") == "big_blind" else 0
        posts = {seat: (live, dead) for seat, live, dead in opening["posts"]}
        for seat in self.order:
            live, dead = posts.get(seat, (0, 0))
            if not for_all:
                pay(seat, ante, "ante", "ante")
            if for_all and seat == big and opening.get("ante_first"):
                pay(seat, for_all, "dead", "ante")
            name = "big_blind" if seat == big else "small_blind" if seat == small else "post"
            pay(seat, live, "live", "button_blind" if opening.get("button_blind") and seat == big else name)
            if seat in (small, big):
                betting.terms.missing -= betting.bets[seat]
            else:  # a post is a blind out of turn: a short one counts as full, too
                betting.terms.missing += live - betting.bets[seat]
            pay(seat, dead, "dead", "dead")
            if for_all and seat == big and not opening.get("ante_first"):
                pay(seat, for_all, "dead", "ante")
            if opening.get("straddle") and seat == opening["straddler"]:
                pay(seat, opening["straddle"] - betting.bets[seat], "live", "straddle")
                expect("a straddle is posted whole", betting.bets[seat], opening["straddle"])
        if len(self.order) < 3 and opening.get("straddle"):
            raise Fault("a straddle with two players")
        return paid

    # What happens

    def follow(self, event: EventData) -> None:
        handler = getattr(self, f"_{event['type']}", None)
        if handler is not None:
            handler(event)

    def choice(self) -> tuple[int, Choice] | None:
        """Who decides, and what they may do; None where nobody bets now."""
        seat = self.betting.actor
        return None if seat is None or self.ended else (seat, self.betting.choice())

    def _posted(self, event: EventData) -> None:
        owed = self.owed[event["seat"]]
        expect(f"the {event['kind']} of seat {event['seat']}", event["amount"], owed.pop(event["kind"], 0))

    def _deck(self, event: EventData) -> None:
        expect("posts that nobody made", {seat: owed for seat, owed in self.owed.items() if owed}, {})
        self.deck = [ranks.numbered(number) for number in event["cards"]]
        lowest = 6 if self.variant == "short-deck" else 2
        whole = sorted((rank, suit) for rank in range(lowest, 15) for suit in ranks.SUITS)
        expect("the deck", sorted(self.deck), whole)

    def _dealt(self, event: EventData) -> None:
        place, seats = self.order.index(event["seat"]), len(self.order)
        due = [self.deck[place + seats * nth] for nth in range(HOLE_CARDS[self.variant])]
        self.holes[event["seat"]] = due
        expect(f"the cards of seat {event['seat']}", ranks.cards(event["cards"]), due)

    def _acted(self, event: EventData) -> None:
        betting, seat = self.betting, event["seat"]
        expect("whose turn it is", seat, betting.actor)
        price, action = betting.price, event["action"]
        try:
            if action == "fold":
                betting.fold()
                paid = 0
            elif action in ("bet", "raise"):
                expect("the word for it", action, "raise" if price else "bet")
                paid = betting.raise_to(event["total"])
            else:
                expect("the word for it", action, "call" if betting.choice().call else "check")
                paid = betting.check_or_call()
        except Refused as refusal:
            raise Fault(str(refusal)) from refusal
        expect(f"the chips of seat {seat}", event.get("amount", 0), paid)
        if action != "fold":
            expect(f"the total of seat {seat}", event.get("total", 0), betting.bets[seat])
            expect(f"whether seat {seat} is all-in", event.get("all_in", False), betting.stacks[seat] == 0)
        expect("who decides next", event.get("to_act"), betting.actor)

    # The board

    def _board_at(self, board: int) -> int:
        """Where in the deck the cards of a whole board begin."""
        return len(self.order) * HOLE_CARDS[self.variant] + 5 * board

    def _due(self, board: int, street: int) -> list[ranks.Card]:
        """The cards of that street on that board. Runs after the first take what lies behind the first five cards."""
        if self.double or board == 0:
            first = self._board_at(board)
            return self.deck[first + BOARD_BEFORE[street] : first + BOARD_AFTER[street]]
        each = 5 - self.shared
        first = self._board_at(1) + (board - 1) * each
        return self.deck[first + BOARD_BEFORE[street] - self.shared : first + BOARD_AFTER[street] - self.shared]

    def _street(self, event: EventData) -> None:
        betting, board, street = self.betting, event.get("board", 0), STREETS.index(event["street"])
        if betting.actor is not None and not (self.bomb and street == FLOP):
            raise Fault(f"the {event['street']} comes while seat {betting.actor} is to act")
        if len(betting.alive) < 2:
            raise Fault(f"the {event['street']} comes, and all but one have folded")
        expect("the number of the board", board < len(self.boards), True)
        lies = self.boards[board]
        expect(f"the cards before the {event['street']}", len(lies), BOARD_BEFORE[street])
        expect(f"the {event['street']}", ranks.cards(event["cards"]), self._due(board, street))
        lies += self._due(board, street)
        if self.double and board == 0:
            self._first_of_two = event
            return
        if self.double:
            for name in ("street", "to_act"):
                expect(f"{name} of the second board", event.get(name), self._first_of_two.get(name))
        if not betting.over and street > betting.street:
            betting.next_street()
        expect("who opens the street", event.get("to_act"), betting.actor)

    # Running it more than once

    def _runs_offered(self, event: EventData) -> None:
        betting = self.betting
        expect("an offer where the betting is over", betting.over and len(self.boards[0]) < 5, True)
        expect("who is asked", sorted(event["seats"]), sorted(betting.alive))
        most = self.opening.get("runs", 1)
        left = self._deck_size - self._board_at(1)
        expect("enough cards for as many runs", (event["most"] - 1) * (5 - len(self.boards[0])) <= left, True)
        expect("how often it may be run", 2 <= event["most"] <= most and not self.double, True)
        self.offer = event

    def _run_answered(self, event: EventData) -> None:
        expect("an answer to an offer", self.offer is not None and event["seat"] in self.offer["seats"], True)
        self.answers[event["seat"]] = event["times"]

    def _runs_agreed(self, event: EventData) -> None:
        expect("runs where the betting is over", self.betting.over and not self.double, True)
        due = 1
        if self.offer is not None:
            due = min(self.offer["most"], *(self.answers.get(seat, 1) for seat in self.offer["seats"]))
        expect("as many runs as everybody agreed to", event["times"], due)
        self.runs = event["times"]
        self.shared = len(self.boards[0])
        self.boards = [list(self.boards[0]) for _ in range(self.runs)]

    # The end

    def _returned(self, event: EventData) -> None:
        self.returned = event["seat"], event["amount"]

    def _shown(self, event: EventData) -> None:
        seat, hole = event["seat"], self.holes[event["seat"]]
        cards = ranks.cards(event["cards"])
        expect(f"what seat {seat} shows is what it was dealt", [card in hole for card in cards], [True] * len(cards))
        expect(f"a card shown twice by seat {seat}", len(set(cards)), len(cards))
        if len(cards) == len(hole):
            self.open_hands.add(seat)
        if self.ended:
            return
        expect(f"a whole hand of seat {seat}", sorted(cards), sorted(hole))
        self.shown.append(seat)

    def _mucked(self, event: EventData) -> None:
        if not self.ended:
            self.mucked.append(event["seat"])

    def worths(self) -> list[dict[int, Worth]]:
        """What each seat that is still in makes on each board."""
        hilo = self.variant.endswith("hilo")
        return [
            {
                seat: Worth(
                    ranks.best_high(self.variant, self.holes[seat], board),
                    ranks.best_low(self.variant, self.holes[seat], board) if hilo else None,
                )
                for seat in self.betting.alive
            }
            for board in self.boards
        ]

    def _hand_ended(self, event: EventData) -> None:
        betting = self.betting
        if not betting.over:
            raise Fault("the hand ends before the betting does")
        back = pots.uncalled(betting.stakes, betting.alive)
        expect("the bet that goes back", self.returned, back)
        if back is not None:
            seat, chips = back
            betting.stakes[seat] -= chips
            betting.stacks[seat] += chips
        contest = len(betting.alive) > 1
        expect("the reason", event["reason"], "showdown" if contest else "fold")
        found = pots.side_pots(betting.stakes, betting.alive, betting.dead)
        worths = self._showdown(found) if contest else []
        payouts: dict[int, int] = {}
        expect(
            "the pots",
            [(pot["amount"], pot["seats"]) for pot in event["pots"]],
            [(pot.amount, pot.seats) for pot in found],
        )
        for pot, told in zip(found, event["pots"], strict=True):
            self._check_pot(pot, told, worths, payouts)
        expect("the payouts", _by_seat(event["payouts"]), payouts)
        self.stacks = {seat: betting.stacks[seat] + payouts.get(seat, 0) for seat in self.order}
        left = {seat: chips for seat, chips in self.stacks.items() if seat not in self.gone}
        expect("the stacks", _by_seat(event["stacks"]), left)
        self.pots = found
        self.ended = True
        self.result = event
        expect("a bounty for 7-2 at a showdown", self.bounty is not None, self._wins_a_bounty(contest))
        if self.bounty is not None:
            self._check_bounty(self.bounty)

    def _showdown(self, found: Sequence[Pot]) -> list[dict[int, Worth]]:
        betting = self.betting
        expect("the cards of the boards", [len(board) for board in self.boards], [5] * len(self.boards))
        worths = self.worths()
        if betting.all_in or len(betting.with_chips) < 2:
            expect("who shows where somebody is all-in", sorted(self.shown), sorted(betting.alive))
            return worths
        first = betting.aggressor if betting.aggressor is not None else betting.alive[0]
        shown, mucked = pots.showing(betting.alive, first, found, worths)
        expect("who shows, in order", self.shown, shown)
        expect("who mucks, in order", self.mucked, mucked)
        return worths

    def _check_pot(self, pot: Pot, told: EventData, worths: list[dict[int, Worth]], payouts: dict[int, int]) -> None:
        parts = pots.award(pot, worths)
        shares: dict[int, int] = {}
        for part in parts:
            for seat, chips in part.shares.items():
                if chips:
                    shares[seat] = shares.get(seat, 0) + chips
        here = dict(zip(told["winners"], told["shares"], strict=True))
        expect("the shares of a pot", {seat: chips for seat, chips in here.items() if chips}, shares)
        for seat, chips in shares.items():
            payouts[seat] = payouts.get(seat, 0) + chips
        _check_parts(parts, told.get("parts", []))

    # After the end

    def _rabbit(self, event: EventData) -> None:
        expect("a rabbit hunt after the hand", self.ended, True)
        due = [
            self.deck[self._board_at(board) + len(lies) : self._board_at(board) + 5]
            for board, lies in enumerate(self.boards)
        ]
        expect("the cards that would have come", [ranks.cards(cards) for cards in event["boards"]], due)

    def _bounty(self, event: EventData) -> None:
        """At a showdown it comes before the end of the hand; after folds, when the winner shows both cards."""
        expect("one bounty for a hand", self.bounty, None)
        self.bounty = event
        if self.ended:
            assert self.result is not None
            expect("why the bounty comes so late", self.result["reason"], "fold")
            expect("who claims the bounty", event["seat"] in self.open_hands, True)
            self._check_bounty(event)

    def _wins_a_bounty(self, showdown: bool) -> bool:
        """Whether somebody has the whole main pot alone with 7-2, and others have chips left to pay."""
        assert self.result is not None
        winners = self.result["pots"][0]["winners"] if showdown else []
        return (
            self.opening.get("seven_deuce", 0) > 0
            and self.variant == "holdem"
            and len(winners) == 1
            and self._seven_deuce(winners[0])
            and any(chips for seat, chips in self.stacks.items() if seat not in (winners[0], *self.gone))
        )

    def _seven_deuce(self, seat: int) -> bool:
        return sorted(rank for rank, _ in self.holes[seat]) == [2, 7]

    def _check_bounty(self, event: EventData) -> None:
        """Won with the whole main pot alone, and paid by everybody else who was dealt in and is still here."""
        amount, winner = self.opening.get("seven_deuce", 0), event["seat"]
        assert self.result is not None
        expect("the game has a bounty", amount > 0 and self.variant == "holdem", True)
        expect("the cards of the bounty", self._seven_deuce(winner), True)
        expect("who has the main pot alone", self.result["pots"][0]["winners"], [winner])
        due = {
            seat: paid
            for seat in self.order
            if seat != winner and seat not in self.gone and (paid := min(amount, self.stacks[seat]))
        }
        expect("who pays the bounty", {seat: chips for seat, chips in _by_seat(event["paid"]).items() if chips}, due)
        self.bounty_paid = due


def _by_seat(told: Mapping[Any, int]) -> dict[int, int]:
    return {int(seat): chips for seat, chips in told.items()}


def _check_parts(parts: list[Part], told: Sequence[EventData]) -> None:
    """The pieces of a pot one by one; of identical hands, which share high and low as one, only the sums are known."""
    if not told:
        expect("the pieces of a pot", 1, len(parts))
        return
    expect("the sum of the pieces", sum(part["amount"] for part in told), sum(part.amount for part in parts))
    for part in parts:
        here = [piece for piece in told if piece["board"] == part.board]
        if len([other for other in parts if other.board == part.board]) == 1:
            shares: dict[int, int] = {}
            for piece in here:
                for seat, chips in zip(piece["winners"], piece["shares"], strict=True):
                    shares[seat] = shares.get(seat, 0) + chips
        else:
            (piece,) = [piece for piece in here if piece["side"] == part.side]
            shares = dict(zip(piece["winners"], piece["shares"], strict=True))
        expect(f"the {part.side} of board {part.board}", shares, part.shares)
