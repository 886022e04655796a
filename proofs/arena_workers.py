"""One run of the arena with one process, with two, and on a local Ray: the figures must be the same.

.venv/bin/pip install ray
.venv/bin/python -m proofs.arena_workers --hands 6000
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from parlour import arena

BOTS = {
    "chance.py": """
import random

def act(view):
    kind = random.choice(["fold", "call", "call", "raise"])
    if kind == "raise":
        return view.raise_to(random.randint(1, 80))
    return view.check_or_fold() if kind == "fold" else view.call()
""",
    "equity.py": """
class Equity:
    def act(self, view):
        return view.raise_pot(0.7) if view.equity(0.4, trials=300) > 0.65 else view.check_or_fold()
""",
}


def figures(hands: int, bots: list[str], **where: Any) -> tuple[dict[str, Any], float]:
    told = arena([*bots, "house:tight", "house:loose"], hands=hands, seats=4, seed=1, **where).as_json()
    return told, told.pop("hands_per_second")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=3000)
    parser.add_argument("--no-ray", action="store_true", help="Compare processes alone.")
    options = parser.parse_args()
    places: dict[str, dict[str, Any]] = {"one process": {}, "two processes": {"workers": 2}}
    if not options.no_ray:
        places["a local Ray"] = {"ray": "local"}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in BOTS.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        bots = [str(Path(folder, name)) for name in BOTS]
        results = {}
        for place, where in places.items():
            results[place], speed = figures(options.hands, bots, **where)
            print(f"{place:15} {speed:8,.0f} hands a second", flush=True)
    first, *others = results.values()
    for player in first["players"]:
        low, high = player["interval"]
        print(f"{player['name']:15} {player['mbb_per_hand']:+10.1f} mbb/hand, {low:+.1f} … {high:+.1f}")
    if any(other != first for other in others):
        sys.exit("the figures differ")
    print(f"{first['hands']:,} hands: the figures are the same in all places")


if __name__ == "__main__":
    main()
