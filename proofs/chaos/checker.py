"""Holds a history against what Parlour promises. Nothing here talks to anybody: small made-up histories test it.

- numbers: each table's log is numbered from 1 without a gap, and its times never go back;
- once: each acknowledged command is in the log once, at the number it was acknowledged with; a refused one is not;
- order: a command that was sent after another was answered, or after an event was told, has a greater number;
- told: what a client was told is what the log has for that client, each event once and in order, and all of it;
- hidden: nobody was shown a card or an event that was not for them, in whatever field of whatever frame;
- chips: no chip appears or vanishes from one hand to the next;
- clock: nobody was charged the time in which nobody could play, as docs/operations.md says it;
- refused: what was put off has a code that docs/api.md and docs/operations.md name as one that passes;
- goes on: each table is played at after the last fault, and each tournament comes to its end;
- tournament: seats, chips, places and prizes are accounted for;
- lost tail: where the database came back without its last rows, each table that had them is closed off by its name;
- dialects: Gateau clients are told each move once, but for what a crash may repeat, and moves count once.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

import msgspec

from proofs.chaos.history import (
    ChessMateRecord,
    Command,
    Event,
    GateauRecord,
    Glimpse,
    Happened,
    History,
    Loss,
    Record,
    Row,
    Violation,
)  # fmt: skip
from proofs.tournaments.referee import Referee

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
CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
TO_NOTICE = 1.0
"""Seconds until a node notices that nobody can play, and until it is sure that they can again."""
ROUND_BEGINS = ("hand_started", "game_started")
ROUND_ENDS = ("hand_ended", "game_ended")
LATE = 0.3
"""Seconds by which a busy node may be late to ask."""
GIVEN_BACK: Mapping[str, tuple[float, float]] = {
    "node killed": (0.0, 3600.0),
    "node restarted": (0.0, 3600.0),
    "node frozen longer than its lease": (2.5, 3600.0),
    "database killed": (0.0, 3600.0),
    "database frozen": (2.5 + LATE, 3600.0),
}
"""Faults in which nobody can play: how long they last at the least before anybody counts on it, and how much of them is
given back at the most. A process that stands still for less than two seconds is taken for a busy one. A database is, to
each node, which leaves no request of it without an answer for that long: where nobody acts, a node asks twice a second.
"""
TAKEN_OVER: Mapping[str, float] = {"node killed": 1.0, "node frozen longer than its lease": 2.0}
"""With several nodes, how long it takes at the least until another one has taken the tables over."""
PASSING = frozenset({
    "disk_full", "database_busy", "database_silent", "owner_unsure", "owner_away", "owner_changed", "moved",
    "bus_down", "not_ready", "reloading", "too_fast", "too_many_requests",
})  # fmt: skip
"""Codes of answers that ask for patience."""
CRASHES = ("node ", "database ")
"""The beginnings of faults after which a Gateau client may be told something again: that it was told was not saved."""


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
        if history.finished and last < len(log) and not record.tournament:
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
        yield from _glimpses(record, known)


def _glimpses(record: Record, known: _Cards) -> Violations:
    """A card in a frame stands in an event of that hand which this client may read, no later than in the frame."""
    for glimpse in record.glimpses:
        if unknown := glimpse.cards - known.told(record.actor, glimpse):
            words = f"{record.name} was shown {sorted(unknown)} at {glimpse.last}, which nobody had told them"
            yield Violation("hidden", record.table, words)


class _Cards:
    """Which cards were dealt and shown in each hand of a log."""

    def __init__(self, log: Sequence[Row]) -> None:
        self.dealt: dict[tuple[int, int | None], tuple[str, ...]] = {}
        self._shown: dict[tuple[int, int, tuple[str, ...]], int] = {}
        self._hands: list[int] = []
        """The numbers with which they begin."""
        self._seqs: list[int] = []
        self._named: list[tuple[frozenset[str] | None, list[str]]] = []
        """The numbers of events that name cards, who may read them, and the cards."""
        hand = 0
        for row in log:
            if cards := CARD.findall(msgspec.json.encode(row.event).decode()):
                self._seqs.append(row.seq)
                self._named.append((row.readers, cards))
            match row.event["type"]:
                case "hand_started":
                    hand = row.event["hand"]
                    self._hands.append(row.seq)
                case "dealt":
                    self.dealt[hand, row.event["seat"]] = tuple(row.event["cards"])
                case "shown":
                    self._shown.setdefault((hand, row.event["seat"], tuple(row.event["cards"])), row.seq)

    def told(self, actor: str | None, glimpse: Glimpse) -> set[str]:
        """The cards that events have named to somebody by then, since the hand of the first event began."""
        place = bisect_right(self._hands, glimpse.first)
        first = self._hands[place - 1] if place else 1
        events = self._named[bisect_left(self._seqs, first) : bisect_right(self._seqs, glimpse.last)]
        return {card for readers, cards in events if readers is None or actor in readers for card in cards}

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
            case "stack_corrected":
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
    for table in {record.table for record in history.records if not record.tournament} - played:
        yield Violation("stands still", table, "nobody could act after the last fault")


def clocks(history: History) -> Violations:
    """From one move to the next, or from the beginning of a round to its first, a table charges no more than the time
    between them in which somebody could play. Between two rounds nobody is charged anything.

    A move was made after it was sent and before anybody knew of it. One that was sent before an outage and known after
    it was made before it, and is charged none of it, or after it, and is given it back.
    """
    sent: dict[str, dict[int, float]] = defaultdict(dict)
    known: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for command in history.commands:
        if command.seq is not None and command.answered is not None:
            sent[command.table][command.seq] = command.sent
            known[command.table].append((command.seq, command.answered))
    for table, told in history.frontiers.items():
        known[table] += [(frontier.seq, frontier.time) for frontier in told]
    for table, log in history.logs.items():
        stops = _stops(history, table)
        if stops and known[table] and log[0].event["settings"].get("action_seconds") != 0:  # else no clock runs
            yield from _charged(table, log, stops, sent[table], sorted(known[table]))


def _charged(
    table: str,
    log: Sequence[Row],
    stops: Sequence[tuple[float, float]],
    sent: Mapping[int, float],
    known: Sequence[tuple[int, float]],
) -> Violations:
    numbers_ = [seq for seq, _ in known]
    soonest = list(accumulate((time for _, time in reversed(known)), min))[::-1]
    before: Row | None = None
    began = known_before = float("-inf")
    """When the move before was made at the earliest, and at the latest; or when the round began."""
    made = float("-inf")
    credited = 0
    for row in log:
        made = max(made, sent.get(row.seq, made))
        kind = row.event["type"]
        if kind in ("clock_credited", "resumed"):
            credited += row.event["ms"]
        if kind in ROUND_ENDS:
            before = None
        if kind not in ("acted", "moved", *ROUND_BEGINS):
            continue
        place = bisect_left(numbers_, row.seq)
        if place == len(numbers_):
            return
        latest = soonest[place]
        if kind not in ROUND_BEGINS and before is not None and began > float("-inf"):
            charged = (row.at - before.at - credited) / 1000
            stopped = sum(max(0.0, min(end, latest) - max(start, known_before)) for start, end in stops)
            if stopped and charged > latest - began - stopped + TO_NOTICE:
                words = (
                    f"{row.seq} was charged {charged:.1f} s, though of the {latest - began:.1f} s since {before.seq}"
                    f" nobody could play for {stopped:.1f} s"
                )
                yield Violation("clock", table, words)
        before, began, known_before, credited = row, made, latest, 0


def _stops(history: History, table: str) -> list[tuple[float, float]]:
    """When nobody could play at a table, as far as docs/operations.md promises that time back; one after another."""
    found: list[tuple[float, float]] = []
    for fault in sorted(history.faults, key=lambda fault: fault.began):
        least, most = GIVEN_BACK.get(fault.kind, (0.0, 0.0))
        if fault.target.startswith("node") and history.nodes > 1:
            most = min(most, TAKEN_OVER.get(fault.kind, 0.0))
        if fault.ended - fault.began < least or (fault.tables is not None and table not in fault.tables):
            continue
        since = max(fault.began, found[-1][1]) if found else fault.began
        until = min(fault.ended, fault.began + most)
        if until > since:
            found.append((since, until))
    return found


def put_off(history: History) -> Violations:
    for (status, code), count in history.put_off.items():
        if code not in PASSING:
            yield Violation("refused", "", f"{count:,} times {status} {code}, which no page names as one that passes")


def tournaments(history: History) -> Violations:
    for code in history.tournaments:
        log = _as_told(history.logs.get(code, []))
        named = {table for event in log if event["type"] == "tables_named" for _, _, table in event["tables"]}
        tables = {table: _as_told(history.logs[table]) for table in named if table in history.logs}
        if history.finished and not (log and log[-1]["type"] == "closed"):
            yield Violation("stands still", code, "the tournament did not come to its end")
            continue
        try:
            Referee(log, tables, timely=False).check()
        except Exception as fault:  # what cannot be followed is as wrong as what is against the rules
            yield Violation("tournament", code, f"{type(fault).__name__}: {fault}")


def _as_told(log: Sequence[Row]) -> list[Event]:
    return [{"seq": row.seq, "at": row.at, **row.event} for row in log]


def lost_tails(losses: Sequence[Loss]) -> Violations:
    for loss in losses:
        words = f"{loss.kind}: {loss.head} was the end of a log that somebody had been told to be at {loss.known};"
        if loss.head >= loss.known:
            continue
        if loss.later != loss.head:
            yield Violation("lost tail", loss.table, f"{words} it was written on, to {loss.later}")
        if loss.answer != "log_damaged":
            yield Violation("lost tail", loss.table, f"{words} whoever asks for the table is told {loss.answer!r}")
        if not loss.named:
            yield Violation("lost tail", loss.table, f"{words} no node names it in its log")
        if not loss.goes_on:
            yield Violation("lost tail", loss.table, f"{words} it does not go on after its repair")


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
    numbers, once, order, told, hidden, chips, clocks, put_off, goes_on, tournaments, gateau, chessmate,
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
