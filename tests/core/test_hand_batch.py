"""HandBatch: the same hands as Hand, many at once."""

from typing import Any

import numpy as np
import pytest

from parlour._core import Hand, HandBatch

SEED = bytes(range(32))


def test_a_batch_plays_the_same_hands_as_hand() -> None:
    """Random legal actions at 50 tables, each followed by a Hand from the same state."""
    rng = np.random.default_rng(1)
    batch = HandBatch(50, [40, 90, 200, 7], blinds=(1, 2), ante=1, limit="pot-limit", seed=SEED)
    twins = [batch.hand(table) for table in range(50)]
    for _ in range(300):
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in batch.legal], dtype=np.uint8)
        amounts = rng.integers(batch.min_raise_to, batch.max_raise_to + 1)
        before = np.array([twin.actor for twin in twins])
        assert (batch.actor == before).all()
        batch.step(actions, amounts)
        for table, twin in enumerate(twins):
            twin.act(int(actions[table]), int(amounts[table]))
            assert twin.done == batch.done[table]
            if twin.done:
                assert twin.payouts() == batch.payouts[table].tolist()
                gains = [end - start for end, start in zip(twin.stacks, twin.starting, strict=True)]
                assert gains == batch.rewards[table].tolist()
                twins[table] = batch.hand(table)
            else:
                assert twin == batch.hand(table)
                assert not batch.rewards[table].any()


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param({"bomb": 5, "boards": 2}, id="bomb pots with two boards"),
        pytest.param({"variant": "omaha-hilo", "button_blind": True, "ante": 1}, id="hi-lo with a button blind"),
        pytest.param({"straddle": 4, "button": 2, "straddle_seat": 2, "seven_deuce": 3}, id="button straddle and 7-2"),
    ],
)
def test_a_batch_plays_the_same_hands_as_hand_with_options(rules: dict[str, Any]) -> None:
    """Random legal actions at 30 tables; a bounty counts, and the flop of a bomb pot lies from the start."""
    rng = np.random.default_rng(2)
    batch = HandBatch(30, [40, 90, 200, 7], blinds=(1, 2), seed=SEED, **rules)
    twins = [batch.hand(table) for table in range(30)]
    for _ in range(300):
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in batch.legal], dtype=np.uint8)
        amounts = rng.integers(batch.min_raise_to, batch.max_raise_to + 1)
        batch.step(actions, amounts)
        for table, twin in enumerate(twins):
            twin.act(int(actions[table]), int(amounts[table]))
            assert twin.done == batch.done[table]
            if twin.done:
                if twin.unclaimed_bounty is not None:
                    twin.claim_bounty()
                gains = [end - start for end, start in zip(twin.stacks, twin.starting, strict=True)]
                assert gains == batch.rewards[table].tolist()
                twin = twins[table] = batch.hand(table)
            assert twin == batch.hand(table)
            for lying, board in zip(batch.boards[table].tolist(), twin.boards, strict=True):
                assert [card for card in lying if card != 255] == board
            assert batch.board[table].tolist() == batch.boards[table, 0].tolist()
    assert batch.finished > 100


def test_a_batch_runs_every_board_once() -> None:
    with pytest.raises(TypeError):
        HandBatch(1, [100, 100], runs=2)  # type: ignore[call-arg]


def test_what_the_arrays_show() -> None:
    batch = HandBatch(8, [100, 100, 100], seed=SEED)
    assert len(batch) == 8
    assert batch.hole.shape == (8, 3, 2)
    assert batch.stacks.tolist() == [[99, 98, 100]] * 8
    assert batch.bets.tolist() == [[1, 2, 0]] * 8
    assert batch.call.tolist() == [2] * 8
    assert batch.legal.dtype == np.bool_
    assert (batch.board == 255).all()
    ones = np.ones(8, dtype=np.uint8)
    for _ in range(3):
        batch.step(ones)
    assert (batch.street == 1).all()
    for table in range(8):
        hand = batch.hand(table)
        assert isinstance(hand, Hand)
        assert batch.board[table, :3].tolist() == hand.board
        assert (batch.board[table, 3:] == 255).all()
        assert batch.hole[table].tolist() == [hand.hole(seat) for seat in range(3)]
    while not batch.finished:
        batch.step(ones)
    assert batch.finished == 8
    assert batch.done.all()
    assert (batch.rewards.sum(axis=1) == 0).all()
    assert (batch.street == 0).all()


def test_a_seed_repeats_the_cards() -> None:
    one, two, other = (HandBatch(20, [50, 50], seed=seed) for seed in (SEED, SEED, bytes(32)))
    assert (one.hole == two.hole).all()
    assert (one.hole != other.hole).any()
    ones = np.ones(20, dtype=np.uint8)
    for _ in range(100):
        one.step(ones)
        two.step(ones)
    assert (one.hole == two.hole).all()
    assert one.finished == two.finished > 0


def test_an_illegal_action_is_named_and_changes_nothing_anywhere() -> None:
    batch = HandBatch(5, [100] * 3, seed=SEED)
    before = [batch.hand(table) for table in range(5)]
    actions, amounts = np.full(5, 2, dtype=np.uint8), np.full(5, 6)
    amounts[3] = 3
    with pytest.raises(ValueError, match="table 3"):
        batch.step(actions, amounts)
    with pytest.raises(ValueError, match="table 0"):
        batch.step(actions)  # raises without amounts
    with pytest.raises(ValueError, match="table 0"):
        batch.step(np.full(5, 4, dtype=np.uint8))
    assert [batch.hand(table) for table in range(5)] == before


def test_wrong_shapes_and_types_are_refused() -> None:
    batch = HandBatch(5, [100] * 3)
    with pytest.raises(ValueError, match="each table"):
        batch.step(np.ones(4, dtype=np.uint8))
    with pytest.raises(ValueError, match="each table"):
        batch.step(np.ones(5, dtype=np.uint8), np.ones(6, dtype=np.int64))
    for wrong in (np.ones((5, 1), dtype=np.uint8), "11111", None, [1] * 5):
        with pytest.raises(TypeError):
            batch.step(wrong)  # type: ignore[arg-type]  # the wrong types are the point


def test_views_are_read_only_and_outlive_the_name_of_the_batch() -> None:
    stacks = HandBatch(3, [100, 100]).stacks
    assert stacks.tolist() == [[98, 99]] * 3
    with pytest.raises(ValueError, match="read-only"):
        stacks[0, 0] = 5


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"n": 0}, "number of tables"),
        ({"n": -1}, "number of tables"),
        ({"n": 2**70}, "number of tables"),
        ({"stacks": [100]}, "seats"),
        ({"stacks": [1, 1]}, "nobody a decision"),
        ({"seed": b"short"}, "32 bytes"),
        ({"variant": "stud"}, "variant"),
    ],
)
def test_faults_are_named(arguments: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        HandBatch(**({"n": 4, "stacks": [100, 100]} | arguments))


def played_hands(batch: HandBatch, hands: int) -> list[list[int]]:
    """Fold everything; the seats of the button, hand by hand, at each table."""
    buttons: list[list[int]] = [[] for _ in range(len(batch))]
    folds = np.zeros(len(batch), dtype=np.uint8)
    while batch.finished < hands * len(batch):
        fresh = batch.done | (batch.finished == 0)
        for table in np.flatnonzero(fresh):
            if not buttons[table] or batch.done[table]:
                buttons[table].append(int(batch.button[table]))
        batch.step(folds)
    return buttons


def test_the_button_moves_one_seat_with_each_hand() -> None:
    batch = HandBatch(3, [100, 100, 100], seed=SEED)
    assert played_hands(batch, 7) == [[2, 0, 1, 2, 0, 1, 2]] * 3
    moved = HandBatch(1, [100, 100, 100], seed=SEED)
    while not moved.finished:
        moved.step(np.zeros(1, dtype=np.uint8))
    assert moved.button.tolist() == [0]
    assert moved.bets.tolist() == [[0, 1, 2]]  # the blinds follow it


@pytest.mark.parametrize(
    "fixed", [{"button": 1}, {"posts": [(0, 1, 0), (1, 2, 0)]}, {"posts": [(0, 1, 0), (1, 2, 0)], "big_blind_seat": 1}]
)
def test_a_button_or_blinds_that_are_named_stay(fixed: dict[str, Any]) -> None:
    batch = HandBatch(2, [100, 100, 100], seed=SEED, **fixed)
    (first, *others) = played_hands(batch, 5)[0]
    assert set(others) == {first}


def test_posts_that_leave_nobody_a_decision_are_refused() -> None:
    with pytest.raises(ValueError, match="decision"):
        HandBatch(1, [1, 1], blinds=(1, 2))
