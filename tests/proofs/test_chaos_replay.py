"""Rules of the fault test that follow a log by the rules of its game, against a hand that was really played: each finds
what is wrong, and no other does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from proofs.chaos import checker, replay
from proofs.chaos.history import Command, Frontier, Glimpse, Happened, History, Loss, Record, Row, Stretch, View
from proofs.chaos.players import Witness, own_part, shared_part

from parlour.games.contract import Event, World
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.tables.ports import Identity
from parlour.tables.records.log import Log, follow
from parlour.tables.room import decisions
from parlour.tables.room import events as ev
from parlour.tables.room.settings import flat_settings, read_settings
from parlour.tables.room.state import TableState

if TYPE_CHECKING:
    from proofs.chaos.hall import Hall

T = "TABLE"
ANN, BEN = Identity("ann", "Ann"), Identity("ben", "Ben")
SETTINGS = {"seats": 2, "min_buy_in": 40, "max_buy_in": 1000, "buy_in": 100, "hand_delay": 5, "time_bank": 0}
ROOT_SECONDS = 100.0
"""The clock of the machine when the log begins; a second goes by with each decision, on both clocks."""


class Unshuffled:
    def shuffle(self, n: int) -> Sequence[int]:
        return range(n)


class Evening:
    """A table that is decided, written and followed as a server does it, and what Ann, Ben and a watcher saw of it."""

    def __init__(self) -> None:
        listing = Registry()["holdem"]
        self.state, self.log = TableState(listing), Log(T, listing, AesSeal(bytes(32)))
        self.at = 1000
        self.history = History({T: []}, {T: "holdem"})
        names: tuple[tuple[str, str | None, int | None], ...] = (
            ("Ann", "ann", 0), ("Ben", "ben", 1), ("watcher", None, None),
        )  # fmt: skip
        self.history.records = [Record(name, T, actor, seat) for name, actor, seat in names]
        settings = flat_settings(*read_settings(listing, SETTINGS))
        self.write([ev.Created("holdem", "ann", "Ann", settings)], ANN)
        for seat, who in enumerate((ANN, BEN)):
            self.write(decisions.sit(self.state, who, seat, {}, False, self.world, lambda _: True), who)
        self.write(decisions.start(self.state, ANN, self.world), ANN)

    @property
    def world(self) -> World:
        return World(self.at, Unshuffled())

    def write(self, events: Sequence[Event], who: Identity | None, key: str | None = None) -> None:
        log = self.history.logs[T]
        for row, event in zip(
            self.log.write(self.state, events, self.at, None if who is None else who.id, key), events, strict=True
        ):
            readers = None if row.readers is None else frozenset(row.readers.split())
            told = json.loads(msgspec.json.encode(event))
            log.append(Row(row.seq, row.at, row.actor, row.key, readers, told))
            follow(self.state, row, event)
        self.at += 1000

    def act(self, who: Identity, kind: str, amount: int | None = None) -> None:
        """Somebody acts, is acknowledged, and everybody is told and shown."""
        asked = {"type": kind} if amount is None else {"type": kind, "amount": amount}
        turn, now, key = self.state.rules.turn(self.state.play), self.seconds, f"k{self.at}"
        action = self.state.listing.action(asked)
        self.write(decisions.act(self.state, who, action, turn, self.world), who, key)
        seq = self.state.room.seq
        self.history.commands.append(Command(T, who.id, key, now, now + 0.1, seq))
        self.history.frontiers.setdefault(T, []).append(Frontier(now + 0.15, seq))
        rules, play = self.state.rules, self.state.play
        public = json.loads(rules.public_json(play))
        shared = {"turn": rules.turn(play), "status": self.state.status(), "paused": False, "state": public}
        for record in self.history.records:
            own = own_part(None, None, None)
            if record.seat is not None:
                options, private, legal = map(json.loads, rules.own_json(play, record.seat))
                own = own_part(private, legal, options)
            record.views.append(View(seq, shared_part(shared), own))

    @property
    def seconds(self) -> float:
        """When the next decision is made, on the clock of the machine."""
        return ROOT_SECONDS + self.at / 1000

    def over(self) -> History:
        """Everybody was told everything; the statistics are those of one hand, which Ben has won."""
        log, history = self.history.logs[T], self.history
        for record in history.records:
            told = [json.dumps(checker.seen_by(row, record.actor)).encode() for row in log]
            record.stretches = [Stretch(1, told)]
        history.books = {"statistics": {("holdem", "ann"): (1, -2), ("holdem", "ben"): (1, 2)}}
        return history


def a_hand() -> Evening:
    """Ann calls, Ben checks; on the flop Ben bets and Ann folds."""
    evening = Evening()
    evening.act(ANN, "call")
    evening.act(BEN, "check")
    evening.act(BEN, "bet", 2)
    evening.act(ANN, "fold")
    return evening


@pytest.fixture
def history() -> History:
    return a_hand().over()


def found(history: History) -> set[str]:
    return {violation.kind for violation in (*checker.check(history), *replay.check(history))}


def row_of(history: History, kind: str, number: int = 0) -> int:
    return [at for at, row in enumerate(history.logs[T]) if row.event["type"] == kind][number]


def change(history: History, at: int, **fields: Any) -> None:
    """Another event in the log, of which everybody is told so."""
    row = history.logs[T][at]
    history.logs[T][at] = row._replace(event={**row.event, **fields})
    for record in history.records:
        record.stretches[0].events[at] = json.dumps(checker.seen_by(history.logs[T][at], record.actor)).encode()


def test_nothing_is_wrong_with_a_hand_as_it_was_played(history: History) -> None:
    assert (checker.check(history), replay.check(history)) == ([], [])
    assert len(history.records[0].views) == 4, "views were compared"


def test_somebody_who_acts_for_the_seat_of_another_is_found(history: History) -> None:
    at = row_of(history, "acted", 1)
    history.logs[T][at] = history.logs[T][at]._replace(actor="ann", key=None)
    history.commands[1] = replace(history.commands[1], answered=None, seq=None)
    assert found(history) == {"actor"}


@pytest.mark.parametrize(
    ("number", "fields"),
    [(2, {"amount": 1, "total": 1}), (2, {"to_act": 1})],
    ids=["a bet below the least", "the wrong one is asked"],
)
def test_an_event_that_does_not_follow_from_the_rules_is_found(
    history: History, number: int, fields: dict[str, Any]
) -> None:
    for record in history.records:
        record.views.clear()
    history.books.clear()
    change(history, row_of(history, "acted", number), **fields)
    assert found(history) == {"rules"}


def test_a_pot_for_the_wrong_winner_is_found(history: History) -> None:
    """All chips are there, and the statistics agree with the log."""
    at = row_of(history, "hand_ended")
    ended = history.logs[T][at].event
    pots = [{**pot, "winners": [0]} for pot in ended["pots"]]
    change(history, at, pots=pots, payouts={"0": 4}, stacks={"0": 102, "1": 98})
    history.books = {"statistics": {("holdem", "ann"): (1, 2), ("holdem", "ben"): (1, -2)}}
    for record in history.records:
        record.views.pop()
    assert found(history) == {"rules"}


def test_a_clock_that_plays_too_early_is_found() -> None:
    evening = a_hand()
    evening.at += 5000
    evening.write(evening.state.rules.expire(evening.state.play, evening.world), None)
    evening.at += 30_000
    evening.write(evening.state.rules.expire(evening.state.play, evening.world), None)
    history = evening.over()
    assert "timeout" in history.logs[T][row_of(history, "acted", 4)].event
    history.books = {"statistics": {}}
    assert found(history) == set()
    at = row_of(history, "acted", 4)
    for later in range(at, len(history.logs[T])):
        history.logs[T][later] = history.logs[T][later]._replace(at=history.logs[T][at - 1].at + 10_000)
    for record in history.records:
        record.stretches = [
            Stretch(1, [json.dumps(checker.seen_by(row, record.actor)).encode() for row in history.logs[T]])
        ]
    assert found(history) == {"rules"}


def test_a_view_that_is_not_the_state_at_its_number_is_found(history: History) -> None:
    views = history.records[2].views
    views[2] = views[1]._replace(seq=views[2].seq)
    assert found(history) == {"view"}


def test_a_choice_that_is_offered_to_the_wrong_one_is_found(history: History) -> None:
    ann, ben = history.records[0].views, history.records[1].views
    ann[1] = ann[1]._replace(own=own_part(None, msgspec.json.decode(ben[1].own)["legal"], []))
    assert found(history) == {"view"}


def test_statistics_that_do_not_agree_with_the_log_are_found(history: History) -> None:
    history.books = {"statistics": {("holdem", "ann"): (2, -2), ("holdem", "ben"): (1, 2)}}
    assert found(history) == {"records"}
    history.books = {"lists of rounds": {("holdem", "ben"): (1, 4)}}
    assert found(history) == {"records"}


def own_cards(history: History) -> list[str]:
    rows = [row for row in history.logs[T] if row.event["type"] == "dealt" and row.event["seat"] == 0]
    return list(rows[0].event["cards"])


@pytest.mark.parametrize(
    ("frame", "due"),
    [
        ('{"patch":{"trace":{"deck":["Ah","%s"]}}}', {"hidden"}),
        ('{"patch":{"state":{"best":"%sAhKh"}}}', {"hidden"}),
        ('{"patch":{"private":{"cards":["%s"]},"id":"x-Ks-2","chat":"Asked That"}}', set()),
    ],
    ids=["in a field that nobody knows", "several in one word", "one's own"],
)
def test_a_hidden_card_in_any_field_is_found(history: History, frame: str, due: set[str]) -> None:
    seq = history.logs[T][row_of(history, "acted")].seq
    stretch = Stretch(1, history.records[0].stretches[0].events[:seq])
    record = Record("Ann for a while", T, "ann", 0, [stretch], tournament="she went on elsewhere")
    history.records.append(record)
    Witness(cast("Hall", None), record, {}).glimpse(frame % own_cards(history)[0], seq)
    assert len(record.glimpses) == 1
    assert found(history) == due


def test_a_card_of_the_board_before_it_is_dealt_is_found(history: History) -> None:
    flop = history.logs[T][row_of(history, "street")]
    cards = frozenset(flop.event["cards"])
    history.records[2].glimpses.append(Glimpse(flop.seq, flop.seq, cards))
    assert found(history) == set()
    history.records[2].glimpses.append(Glimpse(flop.seq - 1, flop.seq - 1, cards))
    assert found(history) == {"hidden"}


def asked(kind: str, turn: int, sent: float, refused: str, who: str = "ben") -> Command:
    action = {"type": "action", "turn": turn, "action": {"type": kind}}
    return Command(T, who, f"r{sent}", sent, sent + 0.05, None, refused, asked=action)


@pytest.mark.parametrize(
    ("kind", "late", "refused", "due"),
    [
        ("check", 0.0, "not_your_turn", {"refused"}),
        ("check", 0.0, "key_reused", {"refused"}),
        ("raise", 0.0, "illegal_action", set()),
        ("check", 1.0, "stale_turn", set()),
        ("check", 0.0, "stale_turn", {"refused"}),
    ],
)
def test_a_refusal_for_which_the_rules_give_no_reason_is_found(
    history: History, kind: str, late: float, refused: str, due: set[str]
) -> None:
    """Ann has called, and it is Ben's turn, until he has checked a second later."""
    first, second = history.commands[:2]
    assert first.answered is not None
    turn = 2
    command = asked(kind, turn, first.answered + 0.1 + late, refused)
    if kind == "raise":
        command.asked["action"]["amount"] = 3
    history.commands.append(command)
    assert second.actor == "ben"
    assert found(history) == due


def test_an_answer_that_no_page_names_is_found(history: History) -> None:
    history.put_off[503, "bus_down"] = 3
    assert found(history) == set()
    history.put_off[500, "internal"] = 1
    assert found(history) == {"refused"}


def frozen(credited: int) -> History:
    """Nobody can play for six seconds before Ben bets, and the table is given back so much of it."""
    evening = Evening()
    evening.act(ANN, "call")
    evening.act(BEN, "check")
    began = evening.seconds
    evening.at += 6000
    if credited:
        evening.write([ev.ClockCredited(credited)], None)
    evening.act(BEN, "bet", 2)
    evening.act(ANN, "fold")
    history = evening.over()
    history.faults = [Happened("node frozen longer than its lease", "node 0", began, began + 6.0, frozenset({T}))]
    return history


def test_time_that_was_not_given_back_is_found() -> None:
    assert found(frozen(0)) == {"clock"}
    assert found(frozen(6000)) == set()
    history = frozen(0)
    history.faults[0] = history.faults[0]._replace(kind="clients cut")
    assert found(history) == set(), "everybody but they could play"


def test_where_no_clock_runs_nothing_is_given_back() -> None:
    history = frozen(0)
    settings = history.logs[T][0].event["settings"]
    change(history, 0, settings={**settings, "action_seconds": 0})
    for record in history.records:
        record.views.clear()
    assert "clock" not in found(history)


@pytest.mark.parametrize(
    ("loss", "due"),
    [
        (Loss("", T, 9, 7, 7, "log_damaged", True), False),
        (Loss("", T, 9, 9, 9, "ok", False), False),
        (Loss("", T, 9, 7, 8, "log_damaged", True), True),
        (Loss("", T, 9, 7, 7, "ok", True), True),
        (Loss("", T, 9, 7, 7, "log_damaged", False), True),
    ],
    ids=["closed off", "nothing lost", "written on", "played at", "not named"],
)
def test_a_table_that_goes_on_without_its_last_events_is_found(loss: Loss, due: bool) -> None:
    assert bool(list(checker.lost_tails([loss]))) == due
