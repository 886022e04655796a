"""The Gateau table of moves, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.protocols.gateau.moves import read_move


def facing(bet: int, own: int, chips: int, least_raise: int) -> dict[str, Any]:
    """What the table allows with `own` put in on this street, `bet` to match and `chips` behind."""
    call = min(chips, bet - own)
    actions = ["fold", "check" if not call else "call", "allin"]
    raises = chips > bet - own
    if raises:
        actions.append("raise" if bet else "bet")
    top = own + chips
    return {
        "actions": actions,
        "call": call,
        "min": min(top, bet + least_raise) if raises else 0,
        "max": top if raises else 0,
        "bet": own,
        "pot": 10,
    }


FACING_TEN = facing(bet=10, own=2, chips=100, least_raise=8)
NO_BET = facing(bet=0, own=0, chips=100, least_raise=2)
BIG_BLIND_OPTION = facing(bet=2, own=2, chips=100, least_raise=2)
SHORT = facing(bet=50, own=0, chips=20, least_raise=50)


@pytest.mark.parametrize(
    ("action", "value", "legal", "read"),
    [
        ("check", 0, FACING_TEN, {"type": "fold"}),
        ("check", 0, NO_BET, {"type": "check"}),
        ("check", 0, BIG_BLIND_OPTION, {"type": "check"}),
        ("fold", 0, FACING_TEN, {"type": "fold"}),
        ("fold", 0, NO_BET, {"type": "fold"}),
        ("call", 0, NO_BET, {"type": "check"}),
        ("call", 0, BIG_BLIND_OPTION, {"type": "check"}),
        ("call", 0, FACING_TEN, {"type": "call"}),
        ("call", 0, SHORT, {"type": "call"}),
        ("allin", 0, FACING_TEN, {"type": "allin"}),
        ("allin", 0, SHORT, {"type": "allin"}),
        ("bet", 0, NO_BET, {"type": "check"}),
        ("bet", 0, FACING_TEN, {"type": "fold"}),
        ("bet", 8, FACING_TEN, {"type": "call"}),
        ("bet", 5, FACING_TEN, {"type": "call"}),
        ("bet", 9, FACING_TEN, {"type": "raise", "amount": 18}),
        ("bet", 15, FACING_TEN, {"type": "raise", "amount": 18}),
        ("bet", 16, FACING_TEN, {"type": "raise", "amount": 18}),
        ("bet", 30, FACING_TEN, {"type": "raise", "amount": 32}),
        ("bet", 100, FACING_TEN, {"type": "allin"}),
        ("bet", 10**9, FACING_TEN, {"type": "allin"}),
        ("bet", 1, NO_BET, {"type": "bet", "amount": 2}),
        ("bet", 40, NO_BET, {"type": "bet", "amount": 40}),
        ("bet", 2, BIG_BLIND_OPTION, {"type": "raise", "amount": 4}),
        ("bet", 30, SHORT, {"type": "call"}),
    ],
)
def test_move_is_read_as_the_table_says(action: str, value: int, legal: dict[str, Any], read: dict[str, Any]) -> None:
    assert read_move(action, value, legal) == read
