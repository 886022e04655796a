"""Use an installed Parlour as a stranger would; run by any interpreter, without the checkout on its path."""

from __future__ import annotations

import importlib.util
import sys

import parlour

assert "site-packages" in parlour.__file__, f"not the installed package: {parlour.__file__}"

assert parlour.evaluate("As Ks Qs Js Ts 2d 3c").name == "Royal Flush"
assert parlour.rank("As Ks Qs Js Ts 2d 3c") == 7462

aces = parlour.equity(["AhAs", "KdKc"])
assert aces.exact
assert abs(aces.players[0].equity - (1_388_072 + 6_538 / 2) / 1_712_304) < 1e-9

main_pot = parlour.pots([25, 50, 100, 100])[0]
assert (main_pot.amount, list(main_pot.contestants)) == (100, [0, 1, 2, 3])

hand = parlour.Hand([200] * 6, blinds=(1, 2))
while (legal := hand.legal()) is not None:
    hand.act("call" if legal.call else "check")
assert sum(hand.payouts()) == 12
assert sum(hand.stacks) == 1200

result = parlour.arena([lambda view: view.call(), lambda view: "fold"], hands=20)
assert [player.mbb_per_hand for player in result.players] == [750, -750]

if importlib.util.find_spec("numpy"):
    import numpy as np

    assert parlour.evaluate_many(np.array([[51, 47, 43, 39, 35, 1, 4]], np.uint8)).tolist() == [7462]

print("parlour", parlour.__version__, "on Python", sys.version.split()[0])
