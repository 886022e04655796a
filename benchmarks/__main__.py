"""`python -m benchmarks`: run every row, print the ratios, write docs/benchmarks.json and docs/benchmarks.svg."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from benchmarks import engines, equities, evaluators, footprint, report
from benchmarks.rounds import measure

DOCS = Path(__file__).parent.parent / "docs"


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks", description="Parlour beside its peers.")
    options.add_argument("--rounds", type=int, default=5, help="interleaved rounds of each row (5)")
    options.add_argument(
        "--seconds", type=float, default=0.3, help="about how long each contestant works in a round (0.3)"
    )
    options.add_argument("--only", default="", help="only rows whose title has this word")
    options.add_argument("--no-files", action="store_true", help="leave docs/ as it is")
    chosen = options.parse_args()
    console = Console(highlight=False)
    results = []
    for row in [*evaluators.rows(), *equities.rows(), *engines.rows()]:
        if chosen.only in row.title:
            results.append((row, measure(row, chosen.rounds, chosen.seconds)))
            console.print(report.row_table(*results[-1]))
    found = footprint.measure(chosen.rounds)
    console.print(report.footprint_table(found))
    if not chosen.no_files and not chosen.only:
        data = report.document(results, found)
        report.write_json(data, DOCS / "benchmarks.json")
        report.write_plot(data, DOCS / "benchmarks.svg")
        console.print("written: docs/benchmarks.json, docs/benchmarks.svg")


if __name__ == "__main__":
    main()
