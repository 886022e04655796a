"""Who posts what, by the dead-button rule.

The big blind moves to the next player who can pay it, every hand; the small blind is where the big blind was, and the
button where the small blind was, whether or not somebody still plays there. So nobody pays a blind twice in a round,
and nobody skips one: whoever was not playing when the blinds passed owes them. To come back, a player posts what is
owed (the big blind live, the small blind dead) or waits for the big blind; a newcomer posts a big blind or waits.
Nobody comes in between the button and the big blind, where hands would be free.

In a tournament nobody posts to come in: a player who was moved here takes on what the seat brings, be it the big blind,
the small blind or the button, and is dealt in from the next hand on. Only between the button and the small blind do
they wait, until the button has passed (TDA 10 and 11). Hands go on though everybody is away.

Heads-up the button is the small blind, and both pay a blind in every hand, so that debts lapse.

With a button blind there is one blind, and the button moves like the big blind otherwise: to the next player who can
pay it. Nobody owes a small blind.

A bomb pot is a hand in between: the blinds stay where they are, and nobody owes anything for it. The first bomb pot
after a hand with blinds has the button of that hand; in each one that follows on a bomb pot the button moves on, so
that nobody acts first twice. The next hand with blinds goes on from the last one that had any.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

import msgspec

from parlour.games.contract import Illegal, Seat


class BlindsPlayer(msgspec.Struct, gc=False):
    """A taken seat."""

    stack: int
    """Chips that are not in the hand being played."""
    bank: int = 0
    """Milliseconds left in the time bank."""
    out: bool = False
    """Sits out from the next hand on; where the absent are blinded out, is dealt in with a dead hand."""
    absent: bool = False
    """The clock had to play, and plays at once until the player acts again."""
    new: bool = False
    """Has not been dealt in yet, and may not come in for free."""
    missed_small: bool = False
    missed_big: bool = False
    post: bool = False
    """Would rather post what is owed than wait for the big blind."""
    leaving: bool = False
    """Got up with a live hand, which is folded when its turn comes."""
    id: str | None = None
    """Who it is, for when they leave and return."""
    straddle: bool = False
    """Will straddle in the seat for it."""
    placed: bool = False
    """A tournament gave the seat: whoever comes to it takes on what the position brings, and owes nothing else."""

    @property
    def there(self) -> bool:
        """Whether the player is at the table and plays: neither out, nor away, nor about to leave."""
        return not (self.out or self.absent or self.leaving)

    @property
    def settled(self) -> bool:
        return not (self.new or self.missed_small or self.missed_big)

    def owes(self, blinds: tuple[int, int]) -> tuple[int, int]:
        """The live and the dead chips to post before coming in out of turn."""
        if self.placed:
            return 0, 0
        return (blinds[1] if self.new or self.missed_big else 0), (blinds[0] if self.missed_small else 0)


class Positions(msgspec.Struct, frozen=True, gc=False):
    """Where the button and the blinds lie; heads-up the button lies with the small blind."""

    button: Seat
    small: Seat
    big: Seat


class Arrangement(msgspec.Struct, frozen=True, gc=False):
    """Who plays the next hand from where."""

    positions: Positions
    order: list[Seat]
    """Those who are dealt in, from the left of the button on."""
    posts: list[tuple[Seat, int, int]]
    """Live and dead chips to post."""
    missed_small: tuple[Seat, ...]
    missed_big: tuple[Seat, ...]


def ready_seats(players: Sequence[BlindsPlayer | None], blinds_out: bool = False) -> list[Seat]:
    """Where somebody sits who will play the next hand."""
    return _sort(players, blinds_out)[0]


def _sort(
    players: Sequence[BlindsPlayer | None], blinds_out: bool
) -> tuple[list[Seat], dict[Seat, BlindsPlayer], list[Seat]]:
    """Seats that are ready, those of them that owe a blind, and seats that a blind would pass over.

    Where the absent are blinded out they are ready too, as long as somebody is there to play against; in a tournament,
    in any case.
    """
    ready: list[Seat] = []
    owing: dict[Seat, BlindsPlayer] = {}
    idle: list[Seat] = []
    somebody = False
    for seat, player in enumerate(players):
        if player is None:
            continue
        if player.stack > 0 and (blinds_out or not player.out) and not player.leaving:
            ready.append(seat)
            somebody = somebody or not player.out or player.placed
            if not player.settled:
                owing[seat] = player
        elif not player.new:
            idle.append(seat)
    return ready if somebody else [], owing, idle


def _clockwise(after: Seat, some: list[Seat], seats: int) -> list[Seat]:
    """Some seats, given in ascending order, from the first one left of `after` round to `after` itself."""
    first = bisect_right(some, after % seats)
    return some[first:] + some[:first]


def arrange(
    players: Sequence[BlindsPlayer | None],
    last: Positions | None,
    blinds: tuple[int, int],
    lot: Sequence[int],
    blinds_out: bool = False,
    button_blind: bool = False,
) -> Arrangement:
    """Arrange the next hand; the first of all gives the button to the first in `lot`."""
    seats = len(players)
    ready, owing, idle = _sort(players, blinds_out)
    _require_two(ready)
    missed_small: tuple[Seat, ...] = ()
    missed_big: tuple[Seat, ...] = ()
    if last is None:
        positions, dealt = _first_positions(ready, lot, seats, button_blind), ready
    else:
        next_positions = _next_button if button_blind else _next_positions
        positions, dealt = next_positions(ready, owing, last, seats)
        if idle:
            missed_small, missed_big = _passed_over(idle, last, positions, seats)
    order = _clockwise(positions.button, dealt, seats)
    if button_blind:
        blinds, missed_small = (0, blinds[1]), ()
        if len(order) == 2:
            owing = {}
    return Arrangement(positions, order, _posts(order, owing, positions, blinds), missed_small, missed_big)


def arrange_bomb(
    players: Sequence[BlindsPlayer | None],
    last: Positions | None,
    lot: Sequence[int],
    blinds_out: bool = False,
    button_blind: bool = False,
    again: bool = False,
) -> Arrangement:
    """Arrange a bomb pot: everybody who can play is dealt in. It has the button of the hand before, or the next one
    where that was a bomb pot `again`."""
    seats = len(players)
    ready, _, _ = _sort(players, blinds_out)
    _require_two(ready)
    positions = last or _first_positions(ready, lot, seats, button_blind)
    if last is not None and again:
        positions = Positions(_clockwise(last.button, ready, seats)[0], last.small, last.big)
    return Arrangement(positions, _clockwise(positions.button, ready, seats), [], (), ())


def _require_two(ready: list[Seat]) -> None:
    if len(ready) < 2:
        raise Illegal("too_few_players", "a hand needs two players with chips")


def _first_positions(ready: list[Seat], lot: Sequence[int], seats: int, button_blind: bool) -> Positions:
    button = next(seat for seat in lot if seat in ready)
    if button_blind:
        return Positions(button, button, button)
    left = _clockwise(button, ready, seats)
    if len(ready) == 2:
        return Positions(button, button, left[0])
    return Positions(button, left[0], left[1])


def _next_positions(
    ready: list[Seat], owing: Mapping[Seat, BlindsPlayer], last: Positions, seats: int
) -> tuple[Positions, list[Seat]]:
    """Where button and blinds lie, and who is dealt in, in ascending order."""
    big = _clockwise(last.big, ready, seats)[0]
    button, small = last.small, last.big
    if not 0 < (button - big) % seats < (small - big) % seats:
        button = (small - 1) % seats  # the big blind has passed it: it lies just before the small blind
    dealt = ready
    if owing:
        dealt = [
            seat
            for seat in ready
            if seat == big or seat not in owing or _comes_in(owing[seat], seat, button, small, big, seats)
        ]
    if len(dealt) == 1:
        dealt = sorted([big, _clockwise(big, ready, seats)[0]])
    if len(dealt) == 2:
        other = dealt[0] if dealt[1] == big else dealt[1]
        return Positions(button=other, small=other, big=big), dealt
    return Positions(button, small, big), dealt


def _next_button(
    ready: list[Seat], owing: Mapping[Seat, BlindsPlayer], last: Positions, seats: int
) -> tuple[Positions, list[Seat]]:
    """The same where the button alone posts a blind."""
    button = _clockwise(last.big, ready, seats)[0]
    dealt = [seat for seat in ready if seat == button or seat not in owing or owing[seat].post or owing[seat].placed]
    if len(dealt) == 1:
        dealt = sorted([button, _clockwise(button, ready, seats)[0]])
    return Positions(button, button, button), dealt


def _comes_in(player: BlindsPlayer, seat: Seat, button: Seat, small: Seat, big: Seat, seats: int) -> bool:
    """Whether somebody who was not playing is dealt in although the big blind is not theirs."""
    if player.placed:
        return not 0 < (seat - button) % seats < (small - button) % seats
    return player.post and not _rides_free(seat, button, big, seats)


def _rides_free(seat: Seat, button: Seat, big: Seat, seats: int) -> bool:
    """Whether the seat lies from the button on, before the big blind; every seat does where the two are one."""
    return (seat - button) % seats < ((big - button) % seats or seats)


def _passed_over(
    idle: list[Seat], last: Positions, now: Positions, seats: int
) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Seats that are not playing while a blind passes them: the small blind alone, or the big one and so both."""
    distance = (now.big - last.big) % seats or seats
    big = [seat for seat in idle if 0 < (seat - last.big) % seats < distance]
    return tuple(sorted({*big, last.big}) if last.big in idle else big), tuple(big)


def _posts(
    order: list[Seat], owing: Mapping[Seat, BlindsPlayer], positions: Positions, blinds: tuple[int, int]
) -> list[tuple[Seat, int, int]]:
    posts = []
    for seat in order:
        if seat == positions.big:
            posts.append((seat, blinds[1], 0))
        elif seat == positions.small:
            posts.append((seat, blinds[0], 0))
        elif seat in owing and not owing[seat].placed:
            posts.append((seat, *owing[seat].owes(blinds)))
    return posts
