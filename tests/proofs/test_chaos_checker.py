"""The checker of the fault test against small made-up histories: it finds what is wrong, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from proofs.chaos.checker import check, clocks, quantile, recoveries, seen_by
from proofs.chaos.history import (
    ChessMateRecord,
    Command,
    Frontier,
    GateauRecord,
    Happened,
    History,
    Push,
    Record,
    Row,
    Sight,
    Stretch,
)  # fmt: skip

T = "TABLE"


def row(seq: int, event: dict[str, Any], actor: str | None = None, key: str | None = None, readers: Any = None) -> Row:
    return Row(seq, 1000 + seq, actor, key, readers, event)


def a_hand() -> list[Row]:
    """Two players, one hand: Ann calls, Ben checks it down to a fold of Ann's."""
    events = [
        ({"type": "created", "settings": {"name": ""}}, "ann", None, None),
        ({"type": "bought_in", "seat": 0, "chips": 100}, "ann", "sit", None),
        ({"type": "bought_in", "seat": 1, "chips": 100}, "ben", "sit", None),
        ({"type": "hand_started", "hand": 1, "stacks": {"0": 100, "1": 100}}, "ann", None, None),
        ({"type": "deck", "cards": [1, 2, 3]}, "ann", None, frozenset[str]()),
        ({"type": "dealt", "seat": 0, "cards": ["As", "Ks"]}, "ann", None, frozenset({"ann"})),
        ({"type": "dealt", "seat": 1, "cards": ["2c", "2d"]}, "ann", "start", frozenset({"ben"})),
        ({"type": "acted", "seat": 0, "action": "call", "amount": 1}, "ann", "a1", None),
        ({"type": "acted", "seat": 1, "action": "check"}, "ben", "b1", None),
        ({"type": "acted", "seat": 0, "action": "fold"}, "ann", None, None),
        ({"type": "shown", "seat": 1, "cards": ["2c", "2d"]}, "ann", None, None),
        ({"type": "hand_ended", "hand": 1, "stacks": {"0": 98, "1": 102}}, "ann", "a2", None),
    ]
    return [row(seq, *each) for seq, each in enumerate(events, start=1)]


def told(log: list[Row], reader: str | None, first: int = 1) -> Stretch:
    return Stretch(first, [json.dumps(seen_by(each, reader)).encode() for each in log[first - 1 :]])


def right() -> History:
    log = a_hand()
    records = [
        Record("Ann", T, "ann", 0, [told(log, "ann")], [Sight(7, 1, ("As", "Ks"), {})]),
        Record("Ben", T, "ben", 1, [told(log, "ben")], [Sight(7, 1, ("2c", "2d"), {})]),
        Record("watcher", T, None, None, [told(log, None)], [Sight(12, 1, (), {1: ("2c", "2d")})]),
    ]
    commands = [
        Command(T, "ann", "a1", 10.0, 10.1, 8),
        Command(T, "ben", "b1", 10.2, 10.3, 9),
        Command(T, "ann", "a2", 10.4, 10.5, 12),
        Command(T, "ben", "b2", 10.6, 10.7, None, "stale_turn"),
        Command(T, "ben", "b3", 10.8),
    ]
    frontiers = {T: [Frontier(10.15, 8), Frontier(10.35, 9), Frontier(10.55, 12)]}
    return History({T: log}, {T: "holdem"}, commands, records, frontiers, calm=10.3)


def kinds(history: History) -> set[str]:
    return {violation.kind for violation in check(history)}


def test_nothing_is_wrong_with_a_right_history() -> None:
    assert check(right()) == []


def test_a_gap_in_the_numbers_is_found() -> None:
    history = right()
    del history.logs[T][9]
    assert "numbers" in kinds(history)


def test_a_number_that_stands_twice_is_found() -> None:
    history = right()
    history.logs[T].insert(8, history.logs[T][8])
    assert "numbers" in kinds(history)


def test_a_time_that_goes_back_is_found() -> None:
    history = right()
    history.logs[T][9] = history.logs[T][9]._replace(at=1)
    assert "numbers" in kinds(history)


def test_an_acknowledged_command_that_is_not_in_the_log_is_found() -> None:
    history = right()
    history.commands.append(Command(T, "ann", "a3", 11.0, 11.1, 13))
    assert kinds(history) == {"lost"}


def test_an_acknowledged_command_that_is_elsewhere_in_the_log_is_found() -> None:
    history = right()
    history.commands[1] = replace(history.commands[1], seq=10)
    assert "lost" in kinds(history)


def test_a_command_that_was_carried_out_twice_is_found() -> None:
    history = right()
    history.logs[T][9] = history.logs[T][9]._replace(key="a1")
    assert kinds(history) == {"doubled"}


def test_a_refused_command_that_was_carried_out_is_found() -> None:
    history = right()
    history.commands[2] = replace(history.commands[2], seq=None, refused="stale_turn")
    assert "doubled" in kinds(history)


def test_a_command_without_an_answer_may_be_there_or_not() -> None:
    history = right()
    history.commands[2] = replace(history.commands[2], answered=None, seq=None)
    assert kinds(history) == {"stands still"}, "nothing else was acknowledged after the last fault"


def test_a_command_that_overtakes_an_earlier_answer_is_found() -> None:
    history = right()
    history.commands[0] = replace(history.commands[0], sent=10.35, answered=10.4)  # after 9 was acknowledged
    assert kinds(history) == {"order"}


def test_a_command_that_overtakes_what_somebody_was_told_is_found() -> None:
    history = right()
    history.frontiers[T].insert(1, Frontier(10.16, 9))
    assert kinds(history) == {"order"}


def test_what_was_told_and_is_not_in_the_log_is_found() -> None:
    history = right()
    history.records[1].stretches[0].events.append(b'{"seq":13,"at":1013,"type":"acted","seat":1}')
    assert kinds(history) == {"told, but not in the log"}


def test_what_was_told_otherwise_than_the_log_has_it_is_found() -> None:
    history = right()
    history.records[1].stretches[0].events[8] = b'{"seq":9,"at":1009,"type":"acted","seat":1,"action":"fold"}'
    assert kinds(history) == {"told otherwise"}


def test_an_event_that_was_not_for_a_reader_is_found() -> None:
    history = right()
    history.records[1].stretches[0] = told(history.logs[T], "ann")
    assert kinds(history) == {"hidden"}


def test_somebody_who_was_not_told_everything_is_found() -> None:
    history = right()
    history.records[2].stretches[0].events.pop()
    assert kinds(history) == {"not told"}


def test_a_record_may_begin_in_the_middle() -> None:
    history = right()
    history.records[2].stretches = [Stretch(1), told(history.logs[T], None, first=6)]
    assert check(history) == []


@pytest.mark.parametrize(
    "sight",
    [
        Sight(7, 1, ("2c", "2d"), {}),
        Sight(7, 1, ("As", "Ks"), {1: ("2c", "2d")}),
        Sight(12, 1, ("As", "Ks"), {1: ("3c", "3d")}),
    ],
    ids=["another's cards as one's own", "cards before they are shown", "cards that were never shown"],
)
def test_a_hidden_card_in_a_view_is_found(sight: Sight) -> None:
    history = right()
    history.records[0].sights.append(sight)
    assert kinds(history) == {"hidden"}


def test_a_chip_that_appears_is_found() -> None:
    history = right()
    history.logs[T][-1].event["stacks"]["1"] = 103
    history.records.clear()
    assert "chips" in kinds(history)


def test_a_stack_that_changes_between_hands_is_found() -> None:
    history = right()
    stacks = {"0": 100, "1": 100}
    history.logs[T].append(row(13, {"type": "hand_started", "hand": 2, "stacks": stacks}))
    history.records.clear()
    assert "chips" in kinds(history)


def test_chips_that_leave_in_the_middle_of_a_hand_are_counted() -> None:
    history = right()
    log = history.logs[T]
    log[9:] = [
        row(10, {"type": "acted", "seat": 0, "action": "fold"}),
        row(11, {"type": "cashed_out", "seat": 0, "chips": 98}),
        row(12, {"type": "hand_ended", "hand": 1, "stacks": {"1": 102}}, "ann", "a2"),
    ]
    history.records.clear()
    assert check(history) == []


def test_a_table_at_which_nobody_can_act_after_the_last_fault_is_found() -> None:
    history = right()
    history.calm = 10.45
    assert kinds(history) == {"stands still"}


# Clocks


def timed(*events: tuple[int, str, int]) -> History:
    """Moves and what lies between, each with its time in milliseconds; a move is acknowledged at that time."""
    log = [Row(1, 0, "ann", None, None, {"type": "created", "settings": {"name": ""}})]
    commands = []
    for seq, (at, kind, ms) in enumerate(events, start=2):
        log.append(Row(seq, at, "ann", None, None, {"type": kind, "ms": ms}))
        if kind == "moved":
            commands.append(Command(T, "ann", f"k{seq}", at / 1000 - 0.01, at / 1000, seq))
    told = [Frontier(at / 1000, seq) for seq, (at, _, _) in enumerate(events, start=2)]
    away = Happened("database killed", "database 0", 2.0, 5.0)
    return History({T: log}, {T: "chess"}, commands=commands, frontiers={T: told}, faults=[away])


def clock_kinds(*events: tuple[int, str, int]) -> set[str]:
    return {violation.kind for violation in clocks(timed(*events))}


@pytest.mark.parametrize("begins", ["moved", "game_started"])
def test_time_in_which_nobody_could_play_is_charged_to_nobody(begins: str) -> None:
    assert clock_kinds((1000, begins, 0), (6000, "clock_credited", 3000), (6100, "moved", 0)) == set()
    assert clock_kinds((1000, begins, 0), (6100, "moved", 0)) == ({"clock"} if begins == "moved" else set())
    assert clock_kinds((500, "moved", 0), (1000, begins, 0), (6100, "moved", 0)) == {"clock"}


def test_between_two_rounds_nobody_is_charged_anything() -> None:
    outage = [(1000, "moved", 0), (1000, "game_ended", 0), (5500, "game_started", 0)]
    assert clock_kinds(*outage, (5600, "moved", 0)) == set()
    assert clock_kinds(*outage, (5600, "moved", 0), (5700, "moved", 0)) == set()


@pytest.mark.parametrize(("seconds", "found"), [(2.55, set()), (2.9, {"clock"})])
def test_a_frozen_database_is_away_only_once_every_node_has_asked_it_in_vain(seconds: float, found: set[str]) -> None:
    history = timed((1000, "moved", 0), (6100, "moved", 0))
    history.faults[:] = [Happened("database frozen", "database 0", 2.0, 2.0 + seconds)]
    assert {violation.kind for violation in clocks(history)} == found


# Dialects


def pushes(*times: tuple[float, int]) -> list[Push]:
    """Moves of the hand by their place, as a Gateau client is told them."""
    moves = [Push(0, 1, 0, "Call", 1), Push(0, 1, 1, "Check", 0), Push(0, 1, 0, "Fold", 0)]
    return [moves[place]._replace(time=time) for time, place in times]


def gateau(told: list[Push], *faults: Happened) -> History:
    record = GateauRecord("Ann", T, told, seat=0, acknowledged=1, unknown=1)
    return replace(right(), gateau=[record], faults=list(faults))


def test_a_gateau_client_that_is_told_each_move_once_is_fine() -> None:
    assert check(gateau(pushes((1, 0), (2, 1), (3, 2)))) == []


def test_a_gateau_client_may_be_told_again_what_it_was_told_just_before_a_crash() -> None:
    killed = Happened("node killed", "node 0", 2.1, 4.0)
    assert check(gateau(pushes((1, 0), (2, 1), (4, 1), (5, 2)), killed)) == []


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (pushes((1, 0), (1.01, 0), (2, 1), (3, 2)), Happened("clients cut", "node 0", 0.9, 0.9)),
        (pushes((1, 0), (20, 1), (25, 0), (26, 1), (27, 2)), Happened("node killed", "node 0", 21, 24)),
        (pushes((1, 0), (2, 2)), Happened("node killed", "node 0", 1.5, 2)),
        (pushes((1, 0), (2, 1)), Happened("node killed", "node 0", 1.5, 2)),
    ],
    ids=["twice without a crash", "long before the crash", "one left out", "the last one missing"],
)
def test_a_gateau_client_that_is_told_wrongly_is_found(told: list[Push], fault: Happened) -> None:
    assert kinds(gateau(told, fault)) == {"gateau"}


def test_a_gateau_move_that_is_lost_or_doubled_is_found() -> None:
    for acknowledged, unknown in ((3, 0), (1, 0)):
        history = gateau(pushes((1, 0), (2, 1), (3, 2)))
        history.gateau[0].acknowledged, history.gateau[0].unknown = acknowledged, unknown
        assert kinds(history) == {"gateau"}


def chessmate(acknowledged: list[str], unknown: list[str]) -> History:
    log = [
        row(seq, {"type": "moved", "uci": uci}) for seq, uci in enumerate(["e2e4", "e7e5", "g1f3", "a7a8q"], start=1)
    ]
    return History({T: log}, {T: "chess"}, chessmate=[ChessMateRecord(T, acknowledged, unknown)])


def test_chess_mate_moves_are_there_once_and_in_order() -> None:
    assert check(chessmate(["e2e4", "e7e5", "g1f3", "a7a8"], [])) == []
    assert check(chessmate(["e2e4", "g1f3"], ["e7e5", "a7a8", "h2h3"])) == []
    assert kinds(chessmate(["e2e4", "g1f3", "e7e5"], ["a7a8"])) == {"chess mate"}
    assert kinds(chessmate(["e2e4", "e7e5", "g1f3", "a7a8", "b2b3"], [])) == {"chess mate"}
    assert kinds(chessmate(["e2e4", "e7e5", "a7a8"], [])) == {"chess mate"}


# Figures


def test_recovery_is_from_the_kill_to_the_next_answer_at_each_table() -> None:
    commands = [
        Command("A", "ann", "1", 1.0, 1.05, 3),  # sent by the node before it died
        Command("A", "ann", "2", 1.1, 3.0, 4),
        Command("A", "ann", "3", 3.1, 3.2, 5),
        Command("B", "ben", "1", 1.2, 2.5, 2),
        Command("B", "ben", "0", 1.2, 2.0, None, "stale_turn"),
    ]
    found = recoveries(History({}, commands=commands), [(1.0, frozenset({"A", "B", "C"}))])
    assert found == [1.5, 2.0]
    assert (quantile(found, 0.5), quantile(found, 0.95), quantile([], 0.5)) == (2.0, 2.0, 0.0)
