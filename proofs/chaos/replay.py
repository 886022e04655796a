"""Follows every log by the rules of its game, and holds against them what was decided, shown, refused and written down.

- actor: whoever acted held the seat that the log says acted;
- rules: each event follows from the state before it: what was decided is what the rules decide there;
- view: what clients were shown is what the rules say of that state;
- refused: a command was refused only where the rules refuse it at a state that the server may have had;
- records: rounds, chips won and statistics of each player are those of the log.

The rules are those of the package; whether they are right is shown elsewhere (`proofs/verify_table.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from parlour.games.chess.events import UNPLAYED, MoveMade
from parlour.games.contract import Event, Illegal, World
from parlour.games.poker.holdem.events import Acted
from parlour.games.registry import Listing, Registry
from parlour.storage.seal import AesSeal
from parlour.tables import ports
from parlour.tables.errors import Refused
from parlour.tables.ports import Identity
from parlour.tables.records.log import Log, follow
from parlour.tables.room import decisions
from parlour.tables.room.events import TABLE_EVENTS
from parlour.tables.room.state import TableState
from parlour.tournaments.game import TournamentGame
from proofs.chaos.history import Command, History, Record, Row, View, Violation
from proofs.chaos.players import own_part, shared_part

GAMES = {**Registry(), **Registry(TournamentGame())}
OPENED = AesSeal(bytes(32))
"""Never used: the rows of a history are open."""
MOVES = (Acted, MoveMade)
CHARS = 300

Violations = Iterator[Violation]


def check(history: History) -> list[Violation]:
    """What is wrong with a history by the rules of the games."""
    found: list[Violation] = []
    books: Counter[tuple[str, str, str]] = Counter()
    records: dict[str, list[Record]] = defaultdict(list)
    for record in history.records:
        records[record.table].append(record)
    refused = _refused(history)
    for table, log in history.logs.items():
        listing = GAMES.get(history.games.get(table, ""))
        if listing is not None and log:
            replay = _Replay(table, listing, records[table], refused.get(table, []), books)
            found += replay.run(log)
    found += _books(history, books)
    return found


def _refused(history: History) -> dict[str, list[tuple[int, float, Command]]]:
    """By table each command that was refused for good: between the number that somebody knew when it was sent, and that
    of the next command that was sent after the refusal, lies the state at which it was refused."""
    known: dict[str, list[tuple[float, int]]] = defaultdict(list)
    later: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for command in history.commands:
        if command.seq is not None and command.answered is not None:
            known[command.table].append((command.answered, command.seq))
            later[command.table].append((command.sent, command.seq))
    found: dict[str, list[tuple[int, float, Command]]] = defaultdict(list)
    for table, told in history.frontiers.items():
        known[table] += told
    for table, times in known.items():
        times.sort()
        later[table].sort()
    highest = {table: list(accumulate((seq for _, seq in times), max)) for table, times in known.items()}
    lowest = {table: list(accumulate((seq for _, seq in reversed(times)), min))[::-1] for table, times in later.items()}
    for command in history.commands:
        if not command.refused or command.answered is None:
            continue
        table = command.table
        before = bisect_right(known[table], (command.sent, 0))
        after = bisect_right(later[table], (command.answered, 1 << 62))
        first = highest[table][before - 1] if before else 0
        last = lowest[table][after] - 1 if after < len(later[table]) else float("inf")
        found[table].append((first, last, command))
    for waiting in found.values():
        waiting.sort(key=lambda each: each[0])
    return found


def _decided_together(log: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows of one decision after another: a key stands at the end of one, and all have one time and one actor."""
    start = 0
    for at, row in enumerate(log):
        after = log[at + 1] if at + 1 < len(log) else None
        if row.key is not None or after is None or (after.at, after.actor) != (row.at, row.actor):
            yield log[start : at + 1]
            start = at + 1


class _Undealt:
    """Chance that nobody looks at: what is dealt next is not compared."""

    def shuffle(self, n: int) -> Sequence[int]:
        return range(n)


class _Replay:
    """One table."""

    def __init__(
        self,
        table: str,
        listing: Listing,
        records: Sequence[Record],
        refused: Sequence[tuple[int, float, Command]],
        books: Counter[tuple[str, str, str]],
    ) -> None:
        self.table = table
        self.listing = listing
        self.state = TableState(listing)
        self._log = Log(table, listing, OPENED)
        self._views: dict[int, list[tuple[Record, View]]] = defaultdict(list)
        for record in records:
            for view in record.views:
                self._views[view.seq].append((record, view))
        self._refused = list(reversed(refused))
        self._asked: list[tuple[float, Command]] = []
        """Refused commands that no state so far gave a reason for, and until which number one may come."""
        self._books = books
        self._put_in: Counter[int] = Counter()

    def run(self, log: Sequence[Row]) -> Violations:
        for rows in _decided_together(log):
            events = self._read(rows)
            if isinstance(events, Violation):
                yield events
                return
            yield from self._move(rows, events)
            for row, event in zip(rows, events, strict=True):
                self._write_down(row)
                try:
                    follow(self.state, _stored(self.table, row), event)
                except Exception as fault:
                    yield self._wrong("rules", f"{row.seq} cannot follow: {fault!r}: {_words(event)}")
                    return
            yield from self._shown(rows[-1].seq)
            yield from self._judge(rows[-1].seq)
        yield from (self._unjust(command) for _, command in self._asked)

    def _wrong(self, kind: str, words: str) -> Violation:
        return Violation(kind, self.table, words[: 2 * CHARS])

    def _read(self, rows: Sequence[Row]) -> list[Event] | Violation:
        try:
            return [written.event for written in self._log.read(_stored(self.table, row) for row in rows)]
        except Exception as fault:
            return self._wrong("rules", f"{rows[0].seq} cannot be read: {fault!r}")

    # Moves

    def _move(self, rows: Sequence[Row], events: Sequence[Event]) -> Violations:
        """The first move of a decision; what follows it, such as folds of those who have left, is decided with it."""
        at = next((at for at, event in enumerate(events) if isinstance(event, MOVES)), None)
        if at is None:
            return
        row, state = rows[at], self.state
        seat = row.event.get("seat", next(iter(state.rules.actors(state.play)), None))
        if row.event.get("timeout"):
            deadline = state.rules.deadline(state.play)
            if deadline is None or deadline.seat != seat or deadline.at > row.at:
                yield self._wrong("rules", f"{row.seq}: the clock played for seat {seat} at {row.at}, not {deadline}")
            return
        holder = None if seat is None else state.room.seats[seat]
        if holder is None or holder.id != row.actor:
            words = f"{row.seq}: {row.actor} acted for seat {seat}, which {holder and holder.id} holds"
            yield self._wrong("actor", words)
        try:
            action = self.listing.action(_action(row))
            decided = state.rules.decide(state.play, seat or 0, action, self._world(row.at))
        except Illegal as refusal:
            yield self._wrong("rules", f"{row.seq}: {_words(events[at])} is against the rules: {refusal}")
            return
        for due, event in zip(decided, events[at:], strict=False):
            if due.begins_round or isinstance(event, TABLE_EVENTS):
                return
            if due != event:
                yield self._wrong("rules", f"{row.seq}: {_words(event)} stands where {_words(due)} follows")
                return

    def _world(self, at: int) -> World:
        state = self.state
        hold = state.directed or state.queues
        return World(state.game_time(at), _Undealt(), bots=state.bots, hold=hold)

    # Views

    def _shown(self, seq: int) -> Violations:
        views = self._views.pop(seq, None)
        if views is None:
            return
        state, room = self.state, self.state.room
        shared = shared_part(
            {
                "turn": state.rules.turn(state.play),
                "status": state.status(),
                "paused": room.paused_at is not None,
                "state": msgspec.json.decode(state.rules.public_json(state.play)),
            }
        )
        for record, view in views:
            own = self._own(record.actor)
            for what, due, seen in (("shared", shared, view.shared), ("own", own, view.own)):
                if due != seen:
                    words = f"{record.name} was shown at {seq} as {what} part {_difference(seen, due)}"
                    yield self._wrong("view", words)

    def _own(self, actor: str | None) -> bytes:
        state, seats = self.state, () if actor is None else self.state.seats_of(actor)
        if not seats:
            return own_part(None, None, None if actor is None else [])
        options, private, legal = map(msgspec.json.decode, state.rules.own_json(state.play, seats[0]))
        if state.room.closed or state.room.paused_at is not None:
            options, legal = [], None
        return own_part(private, legal, options)

    # Refusals

    def _judge(self, seq: int) -> Violations:
        """Which refused commands the rules refuse at this state; those for which no later one can are unjust."""
        while self._refused and self._refused[-1][0] <= seq:
            _, last, command = self._refused.pop()
            self._asked.append((last, command))
        asked, self._asked = self._asked, []
        for last, command in asked:
            if last < seq:
                yield self._unjust(command)
            elif not self._refuses(command):
                self._asked.append((last, command))

    def _refuses(self, command: Command) -> bool:
        state, asked = self.state, command.asked
        player = Identity(command.actor, "")
        try:
            if asked["type"] == "chat":
                decisions.chat(state, player, asked["text"])
            else:
                action = self.listing.action(asked["action"])
                decisions.act(state, player, action, asked.get("turn"), self._world(state.room.at))
        except (Refused, Illegal) as refusal:
            return refusal.code == command.refused
        return False

    def _unjust(self, command: Command) -> Violation:
        return self._wrong("refused", f"{command.asked} of {command.actor} was legal and refused: {command.refused}")

    # Records

    def _write_down(self, row: Row) -> None:
        """Rounds and chips of each player, before the event is followed."""
        event, room = row.event, self.state.room
        match event["type"]:
            case "hand_started":
                self._put_in = Counter({int(seat): 0 for seat in event["stacks"]})
            case "posted" | "acted":
                self._put_in[event["seat"]] += event.get("amount", 0)
            case "returned":
                self._put_in[event["seat"]] -= event["amount"]
            case "hand_ended":
                for seat, put_in in self._put_in.items():
                    player = room.round_players[seat].id
                    self._books["holdem", player, "rounds"] += 1
                    self._books["holdem", player, "chips"] += event["payouts"].get(str(seat), 0) - put_in
            case "game_ended" if event["reason"] not in UNPLAYED:
                for holder in room.round_players.values():
                    self._books["chess", holder.id, "rounds"] += 1


def _books(history: History, counted: Counter[tuple[str, str, str]]) -> Violations:
    for name, book in history.books.items():
        for (game, player), written in book.items():
            due = counted[game, player, "rounds"], counted[game, player, "chips"]
            if written != due:
                words = f"the {name} of {player} in {game} say (rounds, chips won) {written}, the logs {due}"
                yield Violation("records", "", words)


def _stored(table: str, row: Row) -> ports.Row:
    return ports.Row(table, row.seq, row.at, row.actor, None, None, msgspec.json.encode(row.event))


def _action(row: Row) -> dict[str, Any]:
    event = row.event
    if event["type"] == "moved":
        return {"type": "move", "uci": event["uci"]}
    word = event["action"]
    return {"type": word, "amount": event["total"]} if word in ("bet", "raise") else {"type": word}


def _words(event: Event) -> str:
    return msgspec.json.encode(event).decode()[:CHARS]


def _difference(seen: bytes, due: bytes) -> str:
    """Both from a little before the first character that differs."""
    at = next((at for at, (one, other) in enumerate(zip(seen, due, strict=False)) if one != other), 0)
    start = max(0, at - 40)
    return f"{seen[start : start + CHARS // 2]!r}, which is {due[start : start + CHARS // 2]!r}"
