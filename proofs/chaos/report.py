"""A run in words, as docs/chaos.md keeps it."""

from __future__ import annotations

import os
import platform
from collections import Counter
from pathlib import Path

from proofs.chaos import checker
from proofs.chaos.run import Outcome


def of(outcome: Outcome) -> str:
    options, history = outcome.options, outcome.history
    faults = Counter(fault.kind for fault in history.faults)
    acknowledged = sum(command.seq is not None for command in history.commands)
    dialects = sum(record.acknowledged for record in history.gateau)
    dialects += sum(len(record.acknowledged) for record in history.chessmate)
    events = sum(len(log) for log in history.logs.values())
    nodes = f"{options.nodes} node{'s' * (options.nodes > 1)} on PostgreSQL{' with a bus' if options.bus else ''}"
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    by_kind = ", ".join(f"{count} × {kind}" for kind, count in faults.most_common())
    lines = [
        f"- seed {options.seed}, {nodes}, {options.tables} tables, {outcome.seconds / 60:.1f} minutes, {machine}",
        f"- {len(history.faults)} faults: {by_kind}",
        f"- {acknowledged + dialects:,} actions acknowledged, {dialects:,} of them to dialects; {events:,} events",
        _recovery(outcome),
        f"- **{len(outcome.violations)} violations**",
    ]
    lines += [f"    {line}" for line in checker.summary(outcome.violations)]
    lines += ["", "| fault | times | play went on after its end, median | worst |", "|---|---|---|---|"]
    for kind, found in sorted(outcome.stopped.items()):
        found.sort()
        lines.append(f"| {kind} | {len(found)} | {checker.quantile(found, 0.5):.1f} s | {found[-1]:.1f} s |")
    lines += ["", "What clients saw:", ""]
    lines += [f"- {what}: {count:,}" for what, count in sorted(outcome.seen.items())]
    if outcome.logs:
        lines += ["", "What nodes logged as errors:", "", *(f"    {line}" for line in outcome.logs)]
    return "\n".join(lines)


HEADING = "## A run\n"


def write(page: Path, text: str) -> None:
    """Put the report at the end of a page, in place of the one that is there."""
    before = page.read_text(encoding="utf-8").partition(HEADING)[0] if page.exists() else ""
    page.write_text(f"{before}{HEADING}\n{text}\n", encoding="utf-8")


def _recovery(outcome: Outcome) -> str:
    found = outcome.recovered
    if not found:
        kills = sum(fault.kind == "node killed" for fault in outcome.history.faults)
        if kills:
            return f"- {kills} × node killed, none of which owned a table at which somebody acted afterwards"
        return "- no node was killed"
    p50, p95 = (checker.quantile(found, fraction) for fraction in (0.5, 0.95))
    return (
        f"- from the kill of a node to the next acknowledged action at each of its tables ({len(found)} times):"
        f" median {p50:.2f} s, p95 {p95:.2f} s, worst {found[-1]:.2f} s"
    )
