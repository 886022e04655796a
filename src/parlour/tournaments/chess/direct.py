"""The direct encounter (FIDE C.07, article 6): those who are level, by the games among themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlour.tournaments.chess.results import Entry, Outing

NAME = "direct"


def encounters(
    group: Sequence[Entry],
    history: Mapping[Entry, Sequence[Outing]],
    swiss: bool,
    found: Mapping[Entry, dict[str, float | None]],
) -> list[list[Entry]]:
    """The group in order, parts of it still level. What each scored against the others goes into `found`."""
    members = frozenset(group)
    for entry in group:
        found[entry][NAME] = None
    if len(group) == 1:
        return [list(group)]
    scored, met = _games(members, history, swiss)
    for entry in group:
        found[entry][NAME] = scored[entry]
    if all(met[entry] >= len(group) - 1 for entry in group):
        parts = _by_score(group, scored)
    else:
        parts = _certain(group, scored, met)
    if len(parts) == 1:
        return parts
    again: list[list[Entry]] = []
    for part in parts:
        kept = {entry: found[entry][NAME] for entry in part}
        again += encounters(part, history, swiss, found)
        for entry in part:  # the page shows what was scored against all who were level
            found[entry][NAME] = kept[entry]
    return again


def _games(
    members: frozenset[Entry], history: Mapping[Entry, Sequence[Outing]], swiss: bool
) -> tuple[dict[Entry, float], dict[Entry, int]]:
    """What each member scored against the others, and how many of them each has met. A forfeit is no meeting under a
    Swiss system; in a round robin it counts as a game."""
    scored = dict.fromkeys(members, 0.0)
    met: dict[Entry, set[Entry]] = {entry: set() for entry in members}
    for entry in members:
        for outing in history[entry]:
            if outing.opponent in members and (outing.played or (not swiss and outing.forfeited)):
                assert outing.opponent is not None
                scored[entry] += outing.points
                met[entry].add(outing.opponent)
    return scored, {entry: len(others) for entry, others in met.items()}


def _by_score(group: Sequence[Entry], scored: Mapping[Entry, float]) -> list[list[Entry]]:
    by_score: dict[float, list[Entry]] = {}
    for entry in group:
        by_score.setdefault(scored[entry], []).append(entry)
    return [by_score[amount] for amount in sorted(by_score, reverse=True)]


def _certain(group: Sequence[Entry], scored: Mapping[Entry, float], met: Mapping[Entry, int]) -> list[list[Entry]]:
    """6.2: where not all have met, whoever would be first whatever the missing games brought is first, and so on."""
    rest, parts = list(group), []
    best = {entry: scored[entry] + len(group) - 1 - met[entry] for entry in group}
    while len(rest) > 1:
        first = max(rest, key=lambda entry: scored[entry])
        if any(best[entry] >= scored[first] for entry in rest if entry != first):
            break
        parts.append([first])
        rest.remove(first)
    return [*parts, rest]
