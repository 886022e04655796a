"""Holds a history against what Parlour promises. Nothing here talks to anybody: small made-up histories test it.

- numbers: each table's log is numbered from 1 without a gap, and its times never go back;
- once: each acknowledged command is in the log once, at the number it was acknowledged with; a refused one is not;
- order: a command that was sent after another was answered, or after an event was told, has a greater number;
- told: what a client was told is what the log has for that client, each event once and in order, and all of it;
- hidden: nobody was shown a card or an event that was not for them;
- chips: no chip appears or vanishes from one hand to the next;
- goes on: each table is played at after the last fault;
- dialects: Gateau clients are told each move once, but for what a crash may repeat, and moves count once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from proofs.chaos.history import ChessMateRecord, Command, Event, GateauRecord, Happened, History, Row

SHOWN_AT_MOST = 5
"""Violations of one kind that are written out."""
TWICE_TOLD = 0.5
"""Seconds before a crash in which what a Gateau client was told may be told again, as docs/dialects.md says."""
SLACK = 2.0
"""Seconds by which a busy machine may be late to save what it told, or to carry out a fault."""
AROUND = 6
"""Pushes before and after a wrong one that are written out."""
ON_THE_WAY = 0.1
"""Seconds after a kill in which an answer may still come that the dead node had sent."""
CRASHES = ("node ", "database ")
"""The beginnings of faults after which a Gateau client may be told something again: that it was told was not saved."""


class Violation(NamedTuple):
    kind: str
    table: str
    words: str


Violations = Iterator[Violation]


def check(history: History) -> list[Violation]:
    """Everything that is wrong with a history; nothing, if Parlour kept its promises."""
    return [violation for rule in RULES for violation in rule(history)]


def summary(violations: Sequence[Violation]) -> list[str]:
    """The violations in words: how many of each kind, and the first few."""
    lines = []
    for kind, count in Counter(violation.kind for violation in violations).items():
        lines.append(f"{kind}: {count:,}")
        some = [violation for violation in violations if violation.kind == kind][:SHOWN_AT_MOST]
        lines += [f"  table {violation.table}: {violation.words}" for violation in some]
    return lines


def numbers(history: History) -> Violations:
    for table, log in history.logs.items():
        at = 0
        for expected, row in enumerate(log, start=1):
            if row.seq != expected:
                yield Violation("numbers", table, f"{row.seq} stands where {expected} should")
                break
            if row.at < at:
                yield Violation("numbers", table, f"the time of {row.seq} is {at - row.at} ms before the one before it")
            at = max(at, row.at)


def once(history: History) -> Violations:
    done: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for table, log in history.logs.items():
        for row in log:
            if row.actor is not None and row.key is not None:
                done[table, row.actor, row.key].append(row.seq)
    for (table, actor, key), numbers_ in done.items():
        if len(numbers_) > 1:
            yield Violation("doubled", table, f"command {key} of {actor} is in the log at {numbers_}")
    for command in history.commands:
        found = done.get((command.table, command.actor, command.key), [])
        told = f"command {command.key} of {command.actor}"
        if command.seq is not None and not found:
            yield Violation("lost", command.table, f"{told} was acknowledged as {command.seq} and is not in the log")
        elif command.seq is not None and command.seq not in found:
            yield Violation("lost", command.table, f"{told} was acknowledged as {command.seq} and is at {found}")
        elif command.refused and found:
            yield Violation("doubled", command.table, f"{told} was refused ({command.refused}) and is at {found}")


def order(history: History) -> Violations:
    """Real time is respected: sweep over the moments at which something was known, and at which something was sent."""
    by_table: dict[str, list[Command]] = defaultdict(list)
    for command in history.commands:
        if command.seq is not None and command.answered is not None:
            by_table[command.table].append(command)
    for table, commands in by_table.items():
        known = [(command.answered, command.seq) for command in commands if command.answered and command.seq]
        known += history.frontiers.get(table, [])
        known.sort()
        highest, place = 0, 0
        for command in sorted(commands, key=lambda command: command.sent):
            while place < len(known) and known[place][0] < command.sent:
                highest = max(highest, known[place][1])
                place += 1
            if command.seq is not None and command.seq <= highest:
                words = f"{command.key} of {command.actor} got {command.seq}, but {highest} was known when it was sent"
                yield Violation("order", table, words)


def told(history: History) -> Violations:
    for record in history.records:
        log = history.logs.get(record.table, [])
        for stretch in record.stretches:
            for seq, raw in enumerate(stretch.events, start=stretch.first):
                if seq > len(log):
                    yield Violation("told, but not in the log", record.table, f"{record.name} was told {_words(raw)}")
                    break
                expected = seen_by(log[seq - 1], record.actor)
                event = msgspec.json.decode(raw)
                if event != expected:
                    kind = "hidden" if expected["type"] == "skip" else "told otherwise"
                    yield Violation(kind, record.table, f"{record.name} was told {_words(raw)}, the log has {expected}")
                    break
        for fault in record.faults:
            yield Violation("told otherwise", record.table, f"{record.name} {fault}")
        last = record.stretches[-1].next - 1 if record.stretches else 0
        if history.finished and last < len(log):
            yield Violation("not told", record.table, f"{record.name} was told up to {last} of {len(log)}")


def _words(raw: bytes) -> str:
    return raw[:200].decode(errors="replace")


def seen_by(row: Row, reader: str | None) -> Event:
    """The event as a client gets it."""
    if row.readers is not None and reader not in row.readers:
        return {"seq": row.seq, "at": row.at, "type": "skip"}
    return {"seq": row.seq, "at": row.at, **row.event}


def hidden(history: History) -> Violations:
    """The cards in views: one's own as they were dealt, others' only once they were shown."""
    cards = {table: _Cards(log) for table, log in history.logs.items() if history.games.get(table) == "holdem"}
    for record in history.records:
        known = cards.get(record.table)
        if known is None:
            continue
        for sight in record.sights:
            if sight.own and sight.own != known.dealt.get((sight.hand, record.seat)):
                words = f"{record.name} saw {sight.own} as their own in hand {sight.hand}, which were not dealt to them"
                yield Violation("hidden", record.table, words)
            for seat, shown in sight.others.items():
                if known.shown_at(sight.hand, seat, shown) > sight.seq:
                    words = f"{record.name} saw {shown} of seat {seat} in hand {sight.hand} at {sight.seq}"
                    yield Violation("hidden", record.table, words)


class _Cards:
    """Which cards were dealt and shown in each hand of a log."""

    def __init__(self, log: Sequence[Row]) -> None:
        self.dealt: dict[tuple[int, int | None], tuple[str, ...]] = {}
        self._shown: dict[tuple[int, int, tuple[str, ...]], int] = {}
        hand = 0
        for row in log:
            match row.event["type"]:
                case "hand_started":
                    hand = row.event["hand"]
                case "dealt":
                    self.dealt[hand, row.event["seat"]] = tuple(row.event["cards"])
                case "shown":
                    self._shown.setdefault((hand, row.event["seat"], tuple(row.event["cards"])), row.seq)

    def shown_at(self, hand: int, seat: int, cards: tuple[str, ...]) -> float:
        return self._shown.get((hand, seat, cards), float("inf"))


def chips(history: History) -> Violations:
    for table, log in history.logs.items():
        if history.games.get(table) == "holdem":
            yield from _chips(table, log)


def _chips(table: str, log: Sequence[Row]) -> Violations:
    stacks: Counter[int] = Counter()
    bought = 0
    dealt_in: dict[int, int] = {}
    for row in log:
        event = row.event
        match event["type"]:
            case "bought_in":
                stacks[event["seat"]] += event["chips"]
                bought += event["chips"]
            case "cashed_out":
                bought -= event["chips"]
                if event["seat"] in dealt_in:  # out of the hand, whose end counts it no more
                    dealt_in[event["seat"]] -= event["chips"]
                else:
                    stacks[event["seat"]] -= event["chips"]
            case "hand_started":
                dealt_in = {int(seat): count for seat, count in event["stacks"].items()}
                for seat, count in dealt_in.items():
                    if stacks[seat] != count:
                        words = f"hand {event['hand']} begins with {count} at seat {seat}, which had {stacks[seat]}"
                        yield Violation("chips", table, words)
                    stacks[seat] = 0
            case "hand_ended":
                put_in, left = sum(dealt_in.values()), sum(event["stacks"].values())
                if put_in != left:
                    yield Violation("chips", table, f"hand {event['hand']} began with {put_in} and ended with {left}")
                for seat, count in event["stacks"].items():
                    stacks[int(seat)] += count
                dealt_in = {}
                if stacks.total() != bought:
                    yield Violation("chips", table, f"{stacks.total()} of {bought} after hand {event['hand']}")


def goes_on(history: History) -> Violations:
    if history.calm is None:
        return
    calm = history.calm
    played = {command.table for command in history.commands if command.seq is not None and command.sent > calm}
    for table in {record.table for record in history.records} - played:
        yield Violation("stands still", table, "nobody could act after the last fault")


def gateau(history: History) -> Violations:
    for record in history.gateau:
        log = history.logs.get(record.table)
        if log is None:
            yield Violation("gateau", record.table, "the game has no table")
            continue
        yield from _gateau_pushes(record, log, history.faults, history.finished)
        acted = [row.event for row in log if row.event["type"] == "acted" and row.event["seat"] == record.seat]
        own = sum(not event.get("timeout") for event in acted)
        if not record.acknowledged <= own <= record.acknowledged + record.unknown:
            words = f"{record.name} acted {own} times; {record.acknowledged} acknowledged, {record.unknown} unknown"
            yield Violation("gateau", record.table, words)


def moves_of(log: Sequence[Row]) -> list[tuple[int, int, int]]:
    """The actions of a hold'em log as (hand, seat, chips added), which is what every push of a move tells."""
    found: list[tuple[int, int, int]] = []
    hand = 0
    for row in log:
        if row.event["type"] == "hand_started":
            hand = row.event["hand"]
        elif row.event["type"] == "acted":
            found.append((hand, row.event["seat"], row.event.get("amount", 0)))
    return found


def _gateau_pushes(record: GateauRecord, log: Sequence[Row], faults: Sequence[Happened], finished: bool) -> Violations:
    """Each push is the next move, or after a crash one that was told shortly before it."""
    moves = moves_of(log)
    crashes = sorted((fault.began, fault.ended) for fault in faults if fault.kind.startswith(CRASHES))
    first_told: list[float] = []
    place = 0
    for number, push in enumerate(record.pushes):
        said = (push.hand, push.player, push.value)
        if place < len(moves) and moves[place] == said:
            place += 1
        else:
            before = next((n for n in range(min(place, len(moves)) - 1, -1, -1) if moves[n] == said), None)
            if before is None:
                words = f"{record.name} was told {push}, which is not the next move, {moves[place : place + 1]}"
                yield Violation("gateau", record.table, words + _around(record, number, faults))
                return
            if not _may_repeat(first_told[before], push.time, crashes):
                words = f"{record.name} was told {push} twice without a crash between"
                yield Violation("gateau", record.table, words + _around(record, number, faults))
                return
            place = before + 1
        if place > len(first_told):
            first_told.append(push.time)
    if finished and len(first_told) < len(moves):
        yield Violation("gateau", record.table, f"{record.name} was told {len(first_told)} of {len(moves)} moves")


def _around(record: GateauRecord, number: int, faults: Sequence[Happened]) -> str:
    """What a client was told shortly before and after a push, and what was broken then."""
    at = record.pushes[number].time
    near = [
        (round(push.time - at, 3), push.hand, push.player, push.value)
        for push in record.pushes[max(0, number - AROUND) : number + AROUND]
    ]
    broken = [
        (round(fault.began - at, 1), round(fault.ended - at, 1), fault.kind, fault.target)
        for fault in faults
        if fault.began - at < SLACK and at - fault.ended < 10 * SLACK
    ]
    return f"; told around it: {near}; faults: {broken}"


def _may_repeat(told_at: float, again_at: float, crashes: Sequence[tuple[float, float]]) -> bool:
    """Whether a crash lies between, and the first telling not long before it."""
    return any(began - TWICE_TOLD - SLACK <= told_at <= ended + SLACK and began <= again_at for began, ended in crashes)


def chessmate(history: History) -> Violations:
    for record in history.chessmate:
        log = history.logs.get(record.table, [])
        yield from _chessmate(record, [row.event["uci"][:4] for row in log if row.event["type"] == "moved"])


def _chessmate(record: ChessMateRecord, moved: list[str]) -> Violations:
    """The acknowledged moves in their order; what is left over are moves of which no answer came."""
    left: list[str] = []
    place = 0
    for move in moved:
        if place < len(record.acknowledged) and record.acknowledged[place] == move:
            place += 1
        else:
            left.append(move)
    if place < len(record.acknowledged):
        yield Violation("chess mate", record.table, f"move {record.acknowledged[place]} was answered and is lost")
    elif extra := Counter(left) - Counter(record.unknown):
        yield Violation("chess mate", record.table, f"nobody asked for {dict(extra)}")


RULES: tuple[Callable[[History], Violations], ...] = (
    numbers, once, order, told, hidden, chips, goes_on, gateau, chessmate,
)  # fmt: skip


def recoveries(history: History, kills: Sequence[tuple[float, frozenset[str]]]) -> list[float]:
    """Seconds from each kill to the next acknowledged command of each table that the node owned."""
    answers: dict[str, list[float]] = defaultdict(list)
    for command in history.commands:
        if command.seq is not None and command.answered is not None:
            answers[command.table].append(command.answered)
    for times in answers.values():
        times.sort()
    found = []
    for killed, tables in kills:
        for table in tables:
            times = answers.get(table, [])
            place = bisect_left(times, killed + ON_THE_WAY)
            if place < len(times):
                found.append(times[place] - killed)
    return sorted(found)


def quantile(sorted_values: Sequence[float], fraction: float) -> float:
    return sorted_values[min(int(fraction * len(sorted_values)), len(sorted_values) - 1)] if sorted_values else 0.0
