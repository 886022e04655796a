"""What it costs to have a library loaded: seconds and memory from a bare interpreter to the first answer."""

from __future__ import annotations

import statistics
import subprocess
import sys
from dataclasses import dataclass

FIRST_ANSWER = {
    "parlour, import alone": "import parlour",
    "parlour": "import parlour; parlour.rank('As Ks Qs Js Ts 2d 3c')",
    "holdem-hand-evaluator": "from holdem_hand_evaluator import evaluate_hand; evaluate_hand('AsKsQsJsTs2d3c')",
    "eval7": "import eval7; eval7.evaluate([eval7.Card(c) for c in 'As Ks Qs Js Ts 2d 3c'.split()])",
    "phevaluator": "from phevaluator.evaluator import evaluate_cards; evaluate_cards(*'As Ks Qs Js Ts 2d 3c'.split())",
    "treys": "from treys import Card, Evaluator; Evaluator().evaluate([Card.new('As'), Card.new('Ks')], "
    "[Card.new(c) for c in 'Qs Js Ts 2d 3c'.split()])",
    "pokerfast": "from pokerfast import eval7; eval7('As Ks Qs Js Ts 2d 3c'.split())",
    "poker-equity": "import poker_equity; poker_equity.score_batch('high', ['AsKsQsJsTs2d3c'])",
    "pokerkit": "from pokerkit import StandardHighHand; StandardHighHand.from_game('AsKsQsJsTs2d3c')",
}

_PROBE = """
import time
def kilobytes():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1])
before = kilobytes()
start = time.perf_counter()
{code}
print(time.perf_counter() - start, kilobytes() - before)
"""


@dataclass
class Footprint:
    """Medians over fresh interpreters."""

    name: str
    seconds: float | None
    megabytes: float | None
    reason: str = ""


def measure(rounds: int) -> list[Footprint]:
    """Load each library in fresh interpreters, interleaved, and ask it for one rank."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in FIRST_ANSWER}
    reasons: dict[str, str] = {}
    for turn in range(rounds + 1):
        for name, code in FIRST_ANSWER.items():
            done = subprocess.run(
                [sys.executable, "-c", _PROBE.format(code=code)], capture_output=True, text=True, check=False
            )
            if done.returncode:
                reasons[name] = done.stderr.strip().splitlines()[-1]
            elif turn:  # the first turn only fills the file cache
                seconds, kilobytes = map(float, done.stdout.split())
                found[name].append((seconds, kilobytes / 1024))
    out = []
    for name, samples in found.items():
        if samples:
            seconds, megabytes = (statistics.median(column) for column in zip(*samples, strict=True))
            out.append(Footprint(name, seconds, megabytes))
        else:
            out.append(Footprint(name, None, None, reasons.get(name, "")))
    return out
