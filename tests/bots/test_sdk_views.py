"""What a bot sees: the same at a table and in a hand that is played here, and nothing that its seat may not know."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import chess
import msgspec
import numpy as np
import pytest

import parlour
from parlour.bots import BotFault, ChessView, HoldemView, View, view_of, view_of_hand
from parlour.bots.sdk.hand_json import view_json
from parlour.bots.sdk.hand_view import HandContext, HandView, posts_of
from parlour.client import views
from parlour.games.chess import Chess
from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

ASKED = [name for name, value in vars(HoldemView).items() if isinstance(value, property)]
"""Everything that a bot may ask its view for."""


def at_a_table(trial: Trial, seat: int) -> dict[str, Any]:
    """The view of the API, as far as the game writes it."""
    options, private, legal = (msgspec.json.decode(part) for part in trial.game.own_json(trial.state, seat))
    names = [{"seat": i, "player": {"name": f"Player {i + 1}"}} for i in range(len(trial.taken))]
    you = {"seats": [seat], "options": options}
    state = msgspec.json.decode(trial.game.public_json(trial.state))
    table = {"game": "holdem", "now": 0, "deadline": None, "seats": names, "you": you}
    return {**table, "state": state, "private": private, "legal": legal}


@pytest.mark.parametrize("seats", [2, 3, 6, 9, 10])
@pytest.mark.parametrize("ante", [0, 1])
def test_a_hand_played_here_is_seen_as_at_a_table(seats: int, ante: int) -> None:
    dice = random.Random(f"{seats} {ante}")
    compared = 0
    for number in range(12):
        last_first = [seats - 1, *range(seats - 1)]  # who has the button: the last seat, as in a bare hand
        trial = Trial(Holdem(), {"seats": seats, "ante": ante, "hand_delay": 0}, Lots(number, [last_first]))
        for seat in range(seats):
            trial.join(seat, buy_in=dice.choice([40, 80, 400]))
        trial.start()
        while trial.state.record.live and trial.state.record.hand == 1:
            seat = trial.actor
            raw = at_a_table(trial, seat)
            hand, record = trial.state.hand, trial.state.record
            assert record.order == list(range(seats))
            spot = HandContext(hand, [tuple(step) for step in record.actions], (1, 2), ante, number=record.hand)
            if len(record.actions) == len([step for step in record.actions if "blind" in step[2] or step[2] == "ante"]):
                assert posts_of(hand, ante) == record.actions
            here, there = HandView(spot, seat), HoldemView(raw)
            for name in ASKED:
                assert getattr(here, name) == getattr(there, name), name
            bank = [row.pop("bank") for row in raw["state"]["players"]]
            written = json.loads(view_json(spot, seat))
            assert [row.pop("bank") for row in written["state"]["players"]] == [0] * len(bank)
            assert {part: written[part] for part in ("state", "private", "legal")} == {
                part: raw[part] for part in ("state", "private", "legal")
            }
            compared += 1
            legal = raw["legal"]
            kind = dice.choice(legal["actions"])
            amount = dice.randint(legal["min"], legal["max"]) if kind in ("bet", "raise") else None
            trial.act(seat, kind, amount=amount)
    assert compared > 20


def test_the_view_of_a_hand_is_of_the_type_of_the_api() -> None:
    raw = view_of_hand(parlour.Hand([200] * 6)).raw
    kept = set(views.HoldemView.__required_keys__)
    assert kept == set(raw)
    msgspec.convert(raw["state"], views.HoldemPublic)
    msgspec.convert(raw["legal"], views.HoldemLegal)
    msgspec.convert(raw["you"], views.TableYou)
    msgspec.convert(raw["seats"], list[views.TableSeat])


def test_a_view_shows_nothing_that_its_seat_may_not_know() -> None:
    deck = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    random.Random(1).shuffle(deck)
    seen = []
    for order in (deck, deck[:2][::-1] + deck[2:3] + deck[3:5][::-1] + deck[5:6] + deck[6:9] + deck[9:][::-1]):
        hand = parlour.Hand([200] * 3, deck=" ".join(order))
        hand.act("call")  # the button has the third and the sixth card
        hand.act("call")
        hand.act("check")
        hand.act("check")
        hand.act("check")
        seen.append(json.dumps(view_of_hand(hand).raw))
        assert hand.actor == 2
    assert seen[0] == seen[1]


def view(deck: str = "7d As 2c Ah Kc Qd 9s 4h 3d", *actions: tuple[str, int], stacks: tuple[int, ...] = (200, 200)):
    hand = parlour.Hand(stacks, blinds=(1, 2), deck=deck)
    for kind, amount in actions:
        hand.act(kind, amount)
    return view_of_hand(hand)


def test_chips_and_prices() -> None:
    seen = view()
    assert (seen.pot, seen.to_call, seen.stack, seen.bet, seen.min_raise, seen.max_raise) == (3, 1, 199, 1, 4, 200)
    assert seen.pot_odds == pytest.approx(1 / 4)
    assert not seen.can_check
    assert seen.can_raise
    free = view("7d As 2c Ah Kc Qd 9s 4h 3d", ("call", 0))
    assert (free.to_call, free.pot_odds, free.can_check) == (0, 0.0, True)


def test_actions_are_brought_within_what_is_legal() -> None:
    seen = view()
    assert seen.raise_to(1) == {"type": "raise", "amount": 4}
    assert seen.raise_to(37.4) == {"type": "raise", "amount": 37}
    assert seen.raise_to(10**9) == seen.all_in() == {"type": "raise", "amount": 200}
    assert seen.raise_pot() == {"type": "raise", "amount": 6}
    assert (seen.call(), seen.check_or_fold()) == ({"type": "call"}, {"type": "fold"})
    assert seen.raise_to(float("inf")) == seen.all_in()
    for wrong in ("40", float("nan"), None, True, [40]):
        with pytest.raises(ValueError, match=r"raise_to\(\) takes a number of chips"):
            seen.raise_to(wrong)
    for wrong in ("1", None, [1]):
        with pytest.raises(ValueError, match=r"raise_pot\(\) takes a part of the pot"):
            seen.raise_pot(wrong)
    free = view("7d As 2c Ah Kc Qd 9s 4h 3d", ("call", 0))
    assert (free.call(), free.check_or_fold()) == ({"type": "check"}, {"type": "check"})
    closed = view("7d As 2c Ah Kc Qd 9s 4h 3d", ("allin", 0))
    assert not closed.can_raise
    assert closed.raise_pot() == closed.all_in() == {"type": "call"}


def test_equity_against_ranges() -> None:
    seen = view()
    anything = seen.equity(trials=20_000, seed=1)
    assert anything == pytest.approx(0.852, abs=0.01)
    assert seen.equity("KK", trials=20_000, seed=1) == pytest.approx(0.82, abs=0.01)
    best = seen.equity(0.03, trials=20_000, seed=1)
    assert anything > best + 0.02
    assert seen.equity([0.03], trials=20_000, seed=1) == seen.equity({1 - seen.seat: 0.03}, trials=20_000, seed=1)
    assert seen.equity({}, trials=20_000, seed=1) == anything
    kings = seen.equity("KK", trials=20_000, seed=1)
    for against in (parlour.Range("KK"), [parlour.Range("KK")], {1 - seen.seat: parlour.Range("KK")}):
        assert seen.equity(against, trials=20_000, seed=1) == kings
    with pytest.raises(ValueError, match="2 ranges for 1 opponents"):
        seen.equity(["KK", "QQ"])
    assert seen.equity(np.float32(0.5), trials=2_000, seed=1) == seen.equity(0.5, trials=2_000, seed=1)
    wrong: Any
    for wrong in (15, None, {1 - seen.seat: None}, [None]):
        with pytest.raises(ValueError, match="between 0 and 1"):
            seen.equity(wrong)


def test_equity_against_a_seat_where_nobody_sits_is_refused() -> None:
    with pytest.raises(ValueError, match="nobody sits in seat 9"):
        view().equity({9: 0.1})


def test_only_fields_that_the_game_knows_are_sent() -> None:
    assert view().action({"type": "raise", "amount": 6.0, "because": "x" * 5000}) == {"type": "raise", "amount": 6}
    with pytest.raises(ValueError, match="a raise needs an amount"):
        view().action("raise")


def test_what_a_bot_may_return() -> None:
    seen = view()
    assert seen.action("call") == {"type": "call"}
    assert seen.action(("raise", 6)) == {"type": "raise", "amount": 6}
    assert seen.action({"type": "fold"}) == {"type": "fold"}
    for wrong in (None, 7, {"amount": 3}, ("raise",), ("raise", 2.5), ("raise", True), {"type": 3}):
        with pytest.raises(ValueError, match=r"an action|a pair|an amount"):
            seen.action(wrong)


def chess_view(*moves: str) -> ChessView:
    trial = Trial(Chess(), {"side": "white", "minutes": 5, "increment": 0})
    trial.join(0)
    trial.join(1)
    trial.start()
    for move in moves:
        trial.act(trial.actor, "move", uci=move)
    trial.now += 2000
    seat = trial.actor
    state, (_, _, legal) = trial.game.public_json(trial.state), trial.game.own_json(trial.state, seat)
    table = {"game": "chess", "now": trial.now, "deadline": None, "you": {"seats": [seat]}}
    seen = view_of({**table, "state": json.loads(state), "legal": json.loads(legal)})
    assert isinstance(seen, ChessView)
    return seen


def test_chess() -> None:
    seen = chess_view("e2e4", "e7e5")
    board = seen.board()
    assert (seen.color, seen.moves, seen.variant, board.fen()) == ("white", ["e2e4", "e7e5"], "standard", seen.fen)
    assert board.move_stack == [chess.Move.from_uci(move) for move in seen.moves]
    assert sorted(seen.legal_moves) == sorted(move.uci() for move in board.legal_moves)
    assert seen.action("g1f3") == seen.action(chess.Move.from_uci("g1f3")) == seen.move("g1f3")
    assert seen.action("resign") == seen.resign()
    assert seen.fallback() == seen.move(seen.legal_moves[0])
    assert seen.their_clock == 300
    assert seen.clock == pytest.approx(298)


def test_a_game_that_nobody_knows_has_a_plain_view() -> None:
    raw = {"game": "high-card", "legal": {"actions": ["keep"]}, "you": {"seats": [3]}, "now": 5, "deadline": None}
    seen = view_of(raw)
    assert type(seen) is View
    assert (seen.seat, seen.seconds, seen.legal, seen.fallback()) == (3, None, {"actions": ["keep"]}, None)
    assert seen.action("keep") == {"type": "keep"}


def test_the_clock_is_the_own_one() -> None:
    raw = {"game": "go", "you": {"seats": [1]}, "now": 10_000, "deadline": {"at": 12_500, "seat": 1}}
    assert view_of(raw).seconds == 2.5
    assert view_of({**raw, "deadline": {"at": 12_500, "seat": 0}}).seconds is None


def test_the_sdk_loads_nothing_of_the_server() -> None:
    probe = (
        "import sys, parlour, parlour.bots as bots\n"
        "bots.Bot, bots.view_of, bots.HoldemView, bots.ChessView\n"
        "bots.view_of_hand(parlour.Hand([200, 200])).equity(0.3)\n"
        "print(*[m for m in sys.modules if m in ('aiohttp', 'chess', 'structlog', 'typer', 'msgspec', 'numpy')"
        " or m.startswith(('parlour.tables', 'parlour.server', 'parlour.client'))])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_client_extra_is_enough_for_bots_of_chess() -> None:
    """What only `[server]` brings cannot be imported here."""
    extras = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    names = {extra: {re.split(r"[>=; ]", one)[0].replace("-", "_") for one in extras[extra]} for extra in extras}
    program = f"""
import sys
sys.modules.update(dict.fromkeys({sorted(names["server"] - names["client"])}))
from parlour.bots import ChessView
from parlour.bots.arena.chess.match import match
raw = {{"state": {{"variant": "standard", "start_fen": {chess.STARTING_FEN!r}, "moves": ["e2e4"]}}}}
print(ChessView(raw).board().fullmove_number, match(["house:easy", "house:easy"], games=2, seconds=0.1).games)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "1 2\n", done.stderr


def test_faults_say_what_happened() -> None:
    assert str(BotFault("time", "in 2.0 s")) == "did not answer in time: in 2.0 s"
