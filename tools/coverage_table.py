"""Lines and branches that the last run with coverage executed, by package: `make test-all` prints them at its end."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from coverage import Coverage

REPORT = Path("build/coverage.json")
PACKAGE = Path("src/parlour")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def main() -> None:
    coverage = Coverage()
    coverage.load()
    coverage.json_report(outfile=str(REPORT))
    packages: dict[str, Counter[str]] = {}
    for file, found in json.loads(REPORT.read_text())["files"].items():
        parts = Path(file).relative_to(PACKAGE).parts
        package = parts[0] if parts[1:] else "parlour itself"
        for name in (package, "all"):
            packages.setdefault(name, Counter()).update(found["summary"])
    print("| package | lines | executed | branches | taken |\n|---|--:|--:|--:|--:|")
    for name in [*sorted(packages.keys() - {"all"}), "all"]:
        one = packages[name]
        lines, branches = one["num_statements"], one["num_branches"]
        print(
            f"| {name} | {lines:,} | {percent(one['covered_lines'], lines)} "
            f"| {branches:,} | {percent(one['covered_branches'], branches)} |"
        )


if __name__ == "__main__":
    main()
