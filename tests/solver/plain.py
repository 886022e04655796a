"""What strategies are worth, worked out a second time: plain Python that looks at every pair of hands.

It takes from a subgame only what is played at each decision, and follows the chips by the words of the actions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import parlour
from parlour.solver import Decision, Subgame

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@dataclass
class Spot:
    """What a subgame was made from."""

    ranges: tuple[dict[str, float], dict[str, float]]
    board: list[str]
    pot: int
    stack: int
    rake: float = 0.0
    rake_cap: float = float("inf")
    removal: bool = True
    """Whether hands that share a card are left out; only a planted fault says no."""

    def together(self, one: str, other: str) -> bool:
        return not self.removal or not {one[:2], one[2:]} & {other[:2], other[2:]}


@dataclass(frozen=True)
class Place:
    """A point of the hand: the actions and cards so far, and what follows from them."""

    path: tuple[str, ...] = ()
    board: tuple[str, ...] = ()
    player: int = 0
    paid: tuple[int, int] = (0, 0)
    before: int = 0
    """What each had paid when the street began."""
    checked: bool = False
    folded: int | None = None
    over: bool = False
    """Whether the betting of this street is."""


def after(place: Place, action: str) -> Place:
    """What follows from an action."""
    word, _, amount = action.partition(" ")
    mine, theirs = place.paid[place.player], place.paid[1 - place.player]
    paid, player = [*place.paid], 1 - place.player
    if word in ("bet", "raise"):
        paid[place.player] = place.before + int(amount)
        assert paid[place.player] > theirs
    elif word == "call":
        assert mine < theirs
        paid[place.player] = theirs
    else:
        assert word == "fold" or mine == theirs
    return Place(
        (*place.path, action),
        place.board,
        player,
        (paid[0], paid[1]),
        place.before,
        word == "check",
        place.player if word == "fold" else None,
        word in ("call", "fold") or (word == "check" and place.checked),
    )


@dataclass
class Plain:
    """Follows a solved subgame; `gains` are in chips over the stack at the start."""

    spot: Spot
    game: Subgame
    decisions: dict[tuple[str, ...], tuple[Decision, dict[str, dict[str, float]]]] = field(default_factory=dict)
    strengths: dict[frozenset[str], int] = field(default_factory=dict)

    def strategy(self, place: Place) -> tuple[Decision, dict[str, dict[str, float]]]:
        found = self.decisions.get(place.path)
        if found is None:
            decision = self.game.at(*place.path)
            assert decision.player == place.player
            played = {
                hand: dict(zip(decision.actions, row, strict=True))
                for hand, row in zip(decision.hands, decision.strategy.tolist(), strict=True)
            }
            found = self.decisions[place.path] = decision, played
        return found

    def strength(self, hand: str, board: tuple[str, ...]) -> int:
        cards = frozenset([hand[:2], hand[2:], *board])
        if cards not in self.strengths:
            self.strengths[cards] = parlour.rank(" ".join(cards))
        return self.strengths[cards]

    def gain(self, place: Place, player: int, mine: str, other: str) -> float:
        """What a player gains with a hand against another when the hand is over."""
        paid = min(place.paid)
        pot = self.spot.pot + 2 * paid
        won = pot - min(self.spot.rake * pot, self.spot.rake_cap)
        if place.folded is not None:
            return -place.paid[player] if place.folded == player else won - paid
        board = (*self.spot.board, *place.board)
        one, two = self.strength(mine, board), self.strength(other, board)
        return (won if one > two else won / 2 if one == two else 0) - paid

    def value(
        self, place: Place, player: int, mine: str, theirs: dict[str, float], choose: Callable[..., float]
    ) -> float:
        """What a hand gains against the opponent's hands with their weights, summed over those. `choose` makes one of
        the values of the actions at the player's own decisions.
        """
        if place.folded is None and place.over and len(self.spot.board) + len(place.board) < 5:
            return self.dealt(place, player, mine, theirs, choose)
        if place.over:
            return sum(weight * self.gain(place, player, mine, other) for other, weight in theirs.items() if weight)
        decision, played = self.strategy(place)
        if place.player == player:
            values = {
                action: self.value(after(place, action), player, mine, theirs, choose) for action in decision.actions
            }
            return choose(values, played[mine])
        return sum(
            self.value(
                after(place, action),
                player,
                mine,
                {other: weight * played[other][action] for other, weight in theirs.items() if other in played},
                choose,
            )
            for action in decision.actions
        )

    def dealt(
        self, place: Place, player: int, mine: str, theirs: dict[str, float], choose: Callable[..., float]
    ) -> float:
        known = {*self.spot.board, *place.board, mine[:2], mine[2:]}
        left = 52 - len(self.spot.board) - len(place.board) - 4
        total = 0.0
        for card in DECK:
            if card in known:
                continue
            possible = {other: weight / left for other, weight in theirs.items() if card not in (other[:2], other[2:])}
            next_place = Place(
                (*place.path, card),
                (*place.board, card),
                0,
                place.paid,
                place.paid[0],
                over=place.paid[0] == self.spot.stack,
            )
            total += self.value(next_place, player, mine, possible, choose)
        return total

    def worth(self, player: int, choose: Callable[..., float]) -> float:
        """The gain of a player on average over all pairs of hands that can be out."""
        total = mass = 0.0
        for mine, weight in self.spot.ranges[player].items():
            theirs = {
                other: chance
                for other, chance in self.spot.ranges[1 - player].items()
                if self.spot.together(mine, other)
            }
            if theirs:
                total += weight * self.value(Place(), player, mine, theirs, choose)
                mass += weight * sum(theirs.values())
        return total / mass


def as_played(values: dict[str, float], played: dict[str, float]) -> float:
    return sum(values[action] * played[action] for action in values)


def at_best(values: dict[str, float], played: dict[str, float]) -> float:
    return max(values.values())


def make(spot: Spot, **options: object) -> tuple[Subgame, Plain]:
    """The subgame of a spot, and what checks it."""
    game = Subgame(
        [parlour.Range(hands) for hands in spot.ranges],
        "".join(spot.board),
        pot=spot.pot,
        stack=spot.stack,
        rake=spot.rake,
        rake_cap=None if spot.rake_cap == float("inf") else spot.rake_cap,
        **options,  # type: ignore[arg-type]
    )
    return game, Plain(spot, game)
