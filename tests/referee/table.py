"""A table's whole log: the hands one after another, and every chip between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .betting import Choice
from .hand import EventData, Fault, Hand, expect


class Table:
    """Follows a log from its first event on, and knows whose chips are where."""

    def __init__(self) -> None:
        self.chips: dict[int, int] = {}
        """By seat, those that are not in a hand."""
        self.hand: Hand | None = None
        self.brought = 0
        """Chips bought less chips taken away."""
        self.seen: Counter[str] = Counter()
        """How many hands there were, and of which kinds."""
        self._last_big: int | None = None
        self._before: EventData | None = None
        """How the hand before began."""
        """Where the last big blind was; None where the next hand need not follow it."""

    @property
    def live(self) -> Hand | None:
        """The hand being played."""
        return self.hand if self.hand is not None and not self.hand.ended else None

    def choice(self) -> tuple[int, Choice] | None:
        return None if self.live is None else self.live.choice()

    def follow_all(self, events: Iterable[EventData]) -> None:
        for event in events:
            self.follow(event)

    def follow(self, event: EventData) -> None:
        kind = event["type"]
        if kind == "hand_started":
            self._hand_started(event)
        elif kind == "cashed_out":
            self._cashed_out(event)
        elif self.hand is not None:
            if kind == "bounty" and self.hand.ended:  # chips may have been bought since
                self.hand.stacks = {seat: self.chips.get(seat, 0) for seat in self.hand.order}
            self.hand.follow(event)
        match kind:
            case "bought_in":
                if not event.get("rebuy", False):
                    expect("an empty seat", self.chips.get(event["seat"]), None)
                self._add(event["seat"], event["chips"])
                self.brought += event["chips"]
            case "stack_corrected":
                self._add(event["seat"], event["chips"])
                self.brought += event["chips"]
            case "new_game":
                self._last_big = self._before = None
            case "hand_ended":
                self._hand_ended()
            case "bounty" if self.live is None:
                self._pay_bounty()

    def _add(self, seat: int, chips: int) -> None:
        self.chips[seat] = self.chips.get(seat, 0) + chips
        if self.chips[seat] < 0:
            raise Fault(f"seat {seat} has {self.chips[seat]} chips")

    def _cashed_out(self, event: EventData) -> None:
        seat, chips = event["seat"], self.chips.pop(event["seat"], 0)
        hand = self.hand
        if hand is not None and seat in hand.order and seat not in hand.gone:
            if not hand.ended and seat not in hand.betting.folded:
                raise Fault(f"seat {seat} goes with a live hand")
            chips += 0 if hand.ended else hand.betting.stacks[seat]
            hand.gone.add(seat)
        expect(f"what seat {seat} takes away", event["chips"], chips)
        self.brought -= chips

    def _hand_started(self, event: EventData) -> None:
        if self.live is not None:
            raise Fault("a hand begins while another is played")
        for seat, chips in event["stacks"].items():
            expect(f"the stack of seat {seat}", chips, self.chips.get(int(seat)))
            self.chips[int(seat)] = 0
        self._check_positions(event)
        self.hand = Hand(event)
        self._count(event)

    def _check_positions(self, event: EventData) -> None:
        """Blinds pass nobody who is dealt in. A bomb pot is a hand in between; two in a row move the button."""
        seats, big = [int(seat) for seat in event["stacks"]], event["big_blind"]
        before, self._before = self._before, event
        if event.get("bomb"):
            if before is not None:
                expect("the big blind of a bomb pot", big, before["big_blind"])
                button = before["button"]
                if before.get("bomb"):
                    button = min(seats, key=lambda seat: (seat <= button, seat))
                expect("the button of a bomb pot", event["button"], button)
            return
        if big not in seats:
            raise Fault("nobody has the big blind")
        last, self._last_big = self._last_big, None if event.get("button_blind") else big
        if last is None or event.get("button_blind"):
            return
        most = max(*seats, last, big) + 1
        skipped = [seat for seat in seats if 0 < (seat - last) % most < ((big - last) % most or most)]
        expect("seats that the big blind passed over", skipped, [])

    def _count(self, event: EventData) -> None:
        seen = self.seen
        seen["hands"] += 1
        seen[f"{event.get('variant', 'holdem')}"] += 1
        seen[f"{event.get('limit', 'no-limit')}"] += 1
        seen["bomb pots"] += bool(event.get("bomb"))
        seen["double boards"] += event.get("boards", 1) == 2
        seen["straddles"] += bool(event.get("straddle"))
        seen["button blinds"] += bool(event.get("button_blind"))

    def _hand_ended(self) -> None:
        hand = self.hand
        assert hand is not None
        for seat, chips in hand.stacks.items():
            if seat not in hand.gone:
                self._add(seat, chips)
        self._pay_bounty()
        self.seen["showdowns"] += len(hand.betting.alive) > 1
        self.seen["run more than once"] += hand.runs > 1
        self.seen["side pots"] += len(hand.pots) > 1
        self.seen["somebody left during the hand"] += bool(hand.gone)

    def _pay_bounty(self) -> None:
        hand = self.hand
        if hand is None or hand.bounty is None:
            return
        for seat, chips in hand.bounty_paid.items():
            self._add(seat, -chips)
            self._add(hand.bounty["seat"], chips)
        self.seen["bounties"] += 1
