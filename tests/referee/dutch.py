"""A round of a Swiss tournament by FIDE's Dutch system (C.04.3 until January 2026), done as an arbiter does it by hand.

It makes every candidate that a bracket has, and takes the best by the criteria in their order, and of equal ones the
first in the sequence of section D. That is slow: it is for ten players or so. It shares no code with the tournaments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

OTHER = {"w": "b", "b": "w"}
ABSOLUTE, STRONG, MILD, NONE = 3, 2, 1, 0


@dataclass(eq=False)
class Player:
    """A player's card before the round that is to be paired."""

    number: int
    """The pairing number."""
    points: float = 0
    met: set[int] = field(default_factory=set)
    colours: str = ""
    """`w` and `b` of the games that were played."""
    no_bye: bool = False
    """C.2: a bye, or a forfeit that was won."""
    floats: list[str] = field(default_factory=list)
    """For each round `down`, `up` or nothing (A.4)."""
    topscorer: bool = False

    @cached_property
    def difference(self) -> int:
        return self.colours.count("w") - self.colours.count("b")

    @cached_property
    def preference(self) -> tuple[int, str]:
        """How strongly which colour is due (A.6)."""
        if not self.colours:
            return NONE, ""
        if abs(self.difference) > 1:
            return ABSOLUTE, "b" if self.difference > 0 else "w"
        if self.colours[-2:] in ("ww", "bb"):
            return ABSOLUTE, OTHER[self.colours[-1]]
        if self.difference:
            return STRONG, "b" if self.difference > 0 else "w"
        return MILD, OTHER[self.colours[-1]]

    def floated(self, rounds_ago: int) -> str:
        return self.floats[-rounds_ago] if rounds_ago <= len(self.floats) else ""


def rank(player: Player) -> tuple[float, int]:
    """A.2: the higher ranked first."""
    return -player.points, player.number


def cards(order: Sequence[int], rounds: Sequence[Sequence[Any]], bye_points: float, last: bool) -> dict[int, Player]:
    """The cards of all who ever entered, from the rounds that were played."""
    known = {entry: Player(number) for number, entry in enumerate(order, 1)}
    worth = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5), "+--": (1, 0), "--+": (0, 1), "---": (0, 0)}
    for pairings in rounds:
        before = {entry: player.points for entry, player in known.items()}
        floats = dict.fromkeys(known, "down")
        for one in pairings:
            white = known[one.white]
            if one.black is None:
                white.points += bye_points if one.result == "bye" else 0.5
                white.no_bye |= one.result == "bye"
                continue
            black = known[one.black]
            for player, points in zip((white, black), worth[one.result], strict=True):
                player.points += points
            if "+" in one.result:
                (white if one.result == "+--" else black).no_bye = True
            if one.result in ("1-0", "0-1", "1/2-1/2"):
                white.met.add(black.number)
                black.met.add(white.number)
                white.colours += "w"
                black.colours += "b"
                higher = before[one.white] - before[one.black]
                floats[one.white] = "down" if higher > 0 else "up" if higher < 0 else ""
                floats[one.black] = "up" if higher > 0 else "down" if higher < 0 else ""
        for entry, player in known.items():
            player.floats.append(floats[entry])
    for player in known.values():
        player.topscorer = last and player.points > len(rounds) / 2  # A.7
    return known


def may_meet(one: Player, other: Player) -> bool:
    """C.1 and C.3."""
    if other.number in one.met:
        return False
    alike = one.preference == other.preference and one.preference[0] == ABSOLUTE
    return not alike or one.topscorer or other.topscorer


def can_be_completed(players: Sequence[Player]) -> bool:
    """A.9: whether all of them but one who may have the bye can be paired by the absolute criteria."""
    if not players:
        return True
    first, *others = players
    if len(players) % 2 and not first.no_bye and can_be_completed_without_bye(others):
        return True
    return any(
        may_meet(first, other) and can_be_completed([one for one in others if one is not other]) for other in others
    )


def can_be_completed_without_bye(players: Sequence[Player]) -> bool:
    if not players:
        return True
    first, *others = players
    return any(
        may_meet(first, other) and can_be_completed_without_bye([one for one in others if one is not other])
        for other in others
    )


def white_of(one: Player, other: Player, initial: str) -> Player:
    """Section E: who of two gets White."""
    higher, lower = sorted((one, other), key=rank)

    def given(player: Player, colour: str) -> Player:
        return player if colour == "w" else (lower if player is higher else higher)

    (strength, colour), (strength_of_lower, colour_of_lower) = higher.preference, lower.preference
    if strength != NONE and colour_of_lower != colour:  # E.1
        return given(higher, colour)
    if strength == NONE and strength_of_lower != NONE:
        return given(lower, colour_of_lower)
    if strength != strength_of_lower:  # E.2
        return given(higher, colour) if strength > strength_of_lower else given(lower, colour_of_lower)
    if strength == ABSOLUTE and abs(higher.difference) != abs(lower.difference):
        wider = higher if abs(higher.difference) > abs(lower.difference) else lower
        return given(wider, colour)
    for mine, theirs in zip(reversed(higher.colours), reversed(lower.colours), strict=False):  # E.3
        if mine != theirs:
            return given(higher, OTHER[mine])
    if strength != NONE:  # E.4
        return given(higher, colour)
    return given(higher, initial if higher.number % 2 else OTHER[initial])  # E.5


@dataclass
class Candidate:
    """One way to pair a bracket."""

    pairs: list[tuple[Player, Player]]
    down: list[Player]


class Bracket:
    def __init__(self, moved_down: Sequence[Player], residents: Sequence[Player], initial: str) -> None:
        self.moved_down = sorted(moved_down, key=rank)
        self.residents = sorted(residents, key=rank)
        self.all = self.moved_down + self.residents
        self.initial = initial

    def candidates(self, pairs: int) -> Iterator[Candidate]:
        """All with so many pairs: players who were moved down meet residents, and residents each other."""
        above = len(self.moved_down)

        def further(left: list[int], made: list[tuple[int, int]], down: list[int]) -> Iterator[Candidate]:
            if len(down) > len(self.all) - 2 * pairs:
                return
            if not left:
                yield Candidate([(self.all[a], self.all[b]) for a, b in made], [self.all[a] for a in down])
                return
            first, *others = left
            for other in others:
                if other >= above and may_meet(self.all[first], self.all[other]):
                    yield from further([one for one in others if one != other], [*made, (first, other)], down)
            yield from further(others, made, [*down, first])

        yield from further(list(range(len(self.all))), [], [])

    def most_pairs(self) -> int:
        return next(pairs for pairs in range(len(self.all) // 2, -1, -1) if any(True for _ in self.candidates(pairs)))

    def differences(self, one: Candidate) -> list[float]:
        """A.8, the PSD."""
        lowest = self.all[-1].points - 1
        pairs = [abs(a.points - b.points) for a, b in one.pairs]
        return sorted([*pairs, *(player.points - lowest for player in one.down)], reverse=True)

    def outlook(self) -> tuple[int, list[float]]:
        """C.7: the fewest downfloaters that this bracket can have, and then the least PSD."""
        pairs = self.most_pairs()
        return -pairs, min(self.differences(one) for one in self.candidates(pairs))

    def colours(self, one: Candidate) -> tuple[int, ...]:
        """C.8 to C.11."""
        wide = thrice = missed = missed_strong = 0
        for pair in one.pairs:
            white = white_of(*pair, self.initial)
            for player in pair:
                colour = "w" if player is white else "b"
                after = player.colours + colour
                if any(each.topscorer for each in pair):
                    wide += abs(after.count("w") - after.count("b")) > 2
                    thrice += after.endswith(3 * colour)
                strength, due = player.preference
                missed += strength != NONE and due != colour
                missed_strong += strength == STRONG and due != colour
        return wide, thrice, missed, missed_strong

    def floats(self, one: Candidate) -> tuple[object, ...]:
        """C.12 to C.19."""
        lowest = self.all[-1].points - 1
        downs = [(player, player.points - lowest) for player in one.down]
        ups = []
        for pair in one.pairs:
            higher, lower = sorted(pair, key=rank)
            if higher.points > lower.points:
                downs.append((higher, higher.points - lower.points))
                ups.append((lower, higher.points - lower.points))
        counts: list[object] = []
        sizes: list[object] = []
        for rounds_ago in (1, 2):
            for way, floating in (("down", downs), ("up", ups)):
                again = sorted((size for player, size in floating if player.floated(rounds_ago) == way), reverse=True)
                counts.append(len(again))
                sizes.append(again)
        return (*counts, *sizes)

    def place(self, one: Candidate) -> tuple[object, ...]:
        """Section D: where in the sequence of candidates this one comes first."""
        above = [pair for pair in one.pairs if pair[0] in self.moved_down]
        number = {player: at for at, player in enumerate(self.all, 1)}
        taken = {player for pair in above for player in pair}
        rest = [player for player in self.residents if player not in taken]
        return (
            [number[player] for player, _ in above],
            [number[player] for _, player in above],
            *self._place_in_remainder([pair for pair in one.pairs if pair not in above], rest),
        )

    def _place_in_remainder(self, pairs: list[tuple[Player, Player]], rest: list[Player]) -> tuple[object, ...]:
        number = {player: at for at, player in enumerate(rest, 1)}
        numbers = [(number[a], number[b]) for a, b in pairs]
        upper = set(range(1, len(pairs) + 1))
        places = []
        for turned in product((False, True), repeat=len(numbers)):
            met = dict((b, a) if turn else (a, b) for (a, b), turn in zip(numbers, turned, strict=True))
            out, into = upper - set(met), set(met) - upper
            exchange = len(out), sum(into) - sum(out), sorted(-one for one in out), sorted(into)
            places.append((exchange, [met[one] for one in sorted(met)]))
        return min(places)

    def best(self, *, following: Sequence[Player] | None, complete: Sequence[Player] | None, last: bool) -> Candidate:
        """The best candidate. `following` are the residents of the next bracket (C.7), `complete` all who are left,
        where this bracket has to let them be paired (C.4); the last bracket leaves nobody but who has the bye."""
        for pairs in range(len(self.all) // 2, -1, -1):  # C.5
            found = [one for one in self.candidates(pairs) if self._allowed(one, complete, last)]
            if found:
                break
        for criterion in (self.differences, None, self.colours, self.floats, self.place):
            if criterion is None:
                if following is None or last:
                    continue
                outlooks: dict[frozenset[Player], Any] = {}
                for one in found:
                    if frozenset(one.down) not in outlooks:
                        outlooks[frozenset(one.down)] = Bracket(one.down, following, self.initial).outlook()
                values = [outlooks[frozenset(one.down)] for one in found]
            else:
                values = [criterion(one) for one in found]
            least = min(values)
            found = [one for one, value in zip(found, values, strict=True) if value == least]
        return found[0]

    def _allowed(self, one: Candidate, complete: Sequence[Player] | None, last: bool) -> bool:
        if last:
            return len(one.down) == len(self.all) % 2 and not any(player.no_bye for player in one.down)
        return complete is None or can_be_completed([*one.down, *complete])


def pair(
    players: Sequence[Player], initial: str, seen: Counter[str]
) -> tuple[list[tuple[Player, Player]], Player | None] | None:
    """The round: pairs, White first, and who has the bye. None where there is no lawful one (A.9). `initial` is the
    colour that was drawn; `seen` counts the brackets that were out of the ordinary."""
    if len(players) < 2 or not can_be_completed(players):
        return None
    groups = [
        sorted((player for player in players if player.points == points), key=rank)
        for points in sorted({player.points for player in players}, reverse=True)
    ]
    made: list[tuple[Player, Player]] = []
    down: list[Player] = []
    for at, group in enumerate(groups):
        left = [player for later in groups[at + 1 :] for player in later]
        bracket = Bracket(down, group, initial)
        found = bracket.best(following=groups[at + 1] if left else None, complete=None, last=not left)
        collapsed = bool(left) and not can_be_completed([*found.down, *left])
        if collapsed:
            found = bracket.best(following=None, complete=left, last=False)
        seen["brackets with players moved down"] += bool(down)
        seen["collapsed brackets"] += collapsed
        seen["players moved down who move on"] += sum(player in down for player in found.down)
        made, down = made + found.pairs, found.down
        if collapsed:
            found = Bracket(down, left, initial).best(following=None, complete=None, last=True)
            made, down = made + found.pairs, found.down
            break
    boards = []
    for one, other in made:
        white = white_of(one, other, initial)
        boards.append((white, other if white is one else one))
    return boards, down[0] if down else None
