"""What is settled when a tournament is over: chips, places and prizes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from proofs.tournaments.story import Event, Stay, require

if TYPE_CHECKING:
    from proofs.tournaments.referee import Referee


def settle(seen: Referee) -> None:
    """Raise `Fault` where a chip, a place or a prize is not accounted for."""
    _stays(seen)
    _standings(seen)


def _stays(seen: Referee) -> None:
    """What is taken from one table is brought to the next one, once, and all chips are accounted for.

    Who enters again may be given a new stack in the old seat."""
    by_player: dict[str, list[Stay]] = defaultdict(list)
    for stay in seen.story.stays:
        by_player[stay.player].append(stay)
    require(len(by_player) == seen.money["entries"], len(by_player), "sat down of", seen.money["entries"])
    given = 0
    for player, stays in by_player.items():
        stays.sort(key=lambda stay: stay.since)
        got = stays[0].came_with + sum(chips for stay in stays for _, chips in stay.adjusted)
        for before, stay in pairwise(stays):
            got += _went_over(seen, player, before, stay)
        told = seen.settings["stack"] + seen.changes[player]
        require(got == told, player, "was given", got, "chips in all, and should have been given", told)
        require(stays[-1].until is not None, player, "still sits at", stays[-1].table)
        require(stays[-1].reason != "moved", player, "never arrived at", stays[-1].to)
        given += got
    at_the_end = sum(stay.left_with or 0 for stay in seen.story.stays if stay.reason != "moved")
    require(given == at_the_end, given, "chips were given out, and", at_the_end, "were taken at the end")
    seen.counts["chips"] += given


def _went_over(seen: Referee, player: str, before: Stay, stay: Stay) -> int:
    """Chips that the tournament gave on the way, such as an add-on, or the stack of a new entry."""
    require(before.until is not None and before.until <= stay.since, player, "sits at two tables")
    assert before.left_with is not None
    if before.reason == "eliminated":
        require(before.left_with == 0, player, "is out with", before.left_with, "chips")
    else:
        require(before.reason == "moved", player, "sits down again after", before.reason)
        if before.to != stay.table:  # sent on before they could sit down there
            known = [seen.codes.get(table, "") for at, table in seen.path[player] if at <= stay.since]
            require(before.to in known[:-1] and stay.table == known[-1], player, "came to", stay.table, known)
            seen.counts["sent on"] += 1
        seen.counts["moves carried out"] += 1
    more = stay.came_with - before.left_with
    require(more == 0 or player in seen.changes, player, "left with", before.left_with, "came", stay.came_with)
    return more


def _standings(seen: Referee) -> None:
    assert seen.finished is not None
    standings = seen.finished["standings"]
    players = [entry for entry in seen.entries if seen.entries[entry] not in seen.removed]
    places = {one["entry"]: (one["place"], one["place_to"]) for one in standings}
    require(set(places) >= set(players), "no place for", set(players) - set(places))
    taken = sorted({span for entry, span in places.items()})
    flat = [place for first, last in taken for place in range(first, last + 1)]
    require(flat == list(range(1, len(places) + 1)), "places are given twice or not at all:", taken)
    if seen.finished["reason"] == "played":
        _places(seen, places)
    _prizes(seen, standings)


def _places(seen: Referee, places: Mapping[int, tuple[int, int]]) -> None:
    """Who went out later comes in higher, and in one hand who began it with more chips. The last time counts."""
    last = {player: (at, stack, id(together), hand) for at, player, stack, together, hand in seen.outs}
    groups: dict[int, list[str]] = defaultdict(list)
    for player, (_, _, together, _) in last.items():
        if player in seen.busted and player not in seen.removed:
            groups[together].append(player)
    left = len(places) - sum(len(group) for group in groups.values()) - len(seen.removed)
    require(left == 1, left, "are left at the end")
    before: int | None = None
    for group in sorted(groups.values(), key=lambda group: -max(seen.gone[player][0] for player in group)):
        for stack in sorted({last[player][1] for player in group}, reverse=True):
            alike = [player for player in group if last[player][1] == stack]
            for player in alike:
                found = places[seen.numbers[player]]
                span = (left + 1, left + len(alike))
                require(found == span, player, "came in at", span, "and is given", found)
            left += len(alike)
            seen.counts["shared places"] += len(alike) > 1
        if seen.timely and not any(seen.gone[player][1] for player in group):
            ended = max(last[player][0] for player in group)
            require(before is None or ended <= before, group, "went out later and came in lower")
            before = max(seen.reported[last[player][3]] for player in group)


def _prizes(seen: Referee, standings: Sequence[Event]) -> None:
    """What was paid in is paid out to the last chip; bounties aside, no worse place is paid more."""
    prizes = {one["entry"]: one.get("prize", 0) for one in standings}
    bounties = {one["entry"]: one.get("bounty", 0) for one in standings}
    paid_out = sum(prizes.values()) + sum(bounties.values())
    require(paid_out == seen.money["paid"], paid_out, "are paid out of", seen.money["paid"])
    for entry, won in seen.bounties.items():
        require(bounties.get(entry, 0) >= won, entry, "won bounties of", won, "and gets", bounties.get(entry, 0))
    by_place = sorted(standings, key=lambda one: one["place"])
    for better, worse in pairwise(by_place):
        more, less = better.get("prize", 0), worse.get("prize", 0)
        if better["place"] == worse["place"]:
            require(abs(more - less) <= 1, "equal places get", more, "and", less)
        elif seen.finished is not None and seen.finished["reason"] == "played":
            require(more >= less, "place", better["place"], "gets", more, "and", worse["place"], "gets", less)
    if seen.settings.get("payouts"):
        require(sum(one.get("prize", 0) > 0 for one in standings) >= 1, "nobody is paid")
    seen.counts["prizes"] += sum(prizes.values())
    seen.counts["bounties"] += sum(bounties.values())
