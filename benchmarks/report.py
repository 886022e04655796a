"""The figures as a table for the terminal, as JSON, and as a plot."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

if TYPE_CHECKING:
    from benchmarks.footprint import Footprint
    from benchmarks.rounds import Row, Timing

PEERS = [
    "clubs", "eval7", "holdem-hand-evaluator", "open-spiel", "phevaluator", "poker-equity", "pokerfast", "pokerkit",
    "pokers", "pypokerengine", "rlcard", "texasholdem", "treys",
]  # fmt: skip


def figure(seconds: float, unit: str) -> str:
    """A rate where the row counts something, else the time of one task, in a unit that reads well."""
    if unit:
        rate = 1 / seconds
        for limit, divisor, letter in ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e4, 1e3, " k")):
            if rate >= limit:
                return f"{rate / divisor:,.3g}{letter}/s"
        return f"{rate:,.0f} /s"
    for limit, factor, name in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:,.3g} {name}"
    return f"{seconds:,.3g} s"


def times(ratio: float) -> str:
    """A ratio as people read it: 0.35 ×, 5.7 ×, 48,300 ×."""
    return f"{ratio:,.0f} ×" if ratio >= 100 else f"{ratio:.2g} ×"


def ratios(timings: list[Timing]) -> list[float | None]:
    """How many times longer each contestant takes than ours, the first of the row."""
    ours = timings[0].seconds
    return [t.seconds / ours if t.seconds and ours else None for t in timings]


def row_table(row: Row, timings: list[Timing]) -> Table:
    """One row of the comparison for the terminal."""
    out = Table(title=row.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    out.add_column("", min_width=24)
    out.add_column(f"{row.unit} a second" if row.unit else "time", justify="right", min_width=12)
    out.add_column("parlour is faster by", justify="right")
    for timing, ratio in zip(timings, ratios(timings), strict=True):
        if timing.seconds is None:
            out.add_row(timing.name, "–", timing.reason)
        else:
            out.add_row(timing.name, figure(timing.seconds, row.unit), "" if timing.ours or not ratio else times(ratio))
    if row.quoted:
        out.caption = f"quoted from elsewhere: {row.quoted}"
    return out


def footprint_table(found: list[Footprint]) -> Table:
    """Load time and memory for the terminal."""
    out = Table(
        title="from import to the first rank",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    out.add_column("", min_width=24)
    out.add_column("time", justify="right", min_width=12)
    out.add_column("memory", justify="right")
    for one in found:
        if one.seconds is None or one.megabytes is None:
            out.add_row(one.name, "–", one.reason)
        else:
            out.add_row(one.name, figure(one.seconds, ""), f"{one.megabytes:.1f} MB")
    return out


def document(results: list[tuple[Row, list[Timing]]], found: list[Footprint]) -> dict[str, Any]:
    """Everything measured, with what it was measured on."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {processor()}, {os.cpu_count()} processors",
        "load": [round(load, 1) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "versions": {name: _version(name) for name in ["parlour", *PEERS]},
        "rows": [
            {
                "title": row.title,
                "unit": row.unit,
                "quoted": row.quoted,
                "contestants": [
                    {"name": t.name, "ours": t.ours, "seconds": t.seconds, "ratio": ratio, "reason": t.reason}
                    for t, ratio in zip(timings, ratios(timings), strict=True)
                ],
            }
            for row, timings in results
        ],
        "footprint": [vars(one) for one in found],
    }


def processor() -> str:
    """The processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def write_json(data: dict[str, Any], path: Path) -> None:
    """Keep the figures for other programs."""
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_plot(data: dict[str, Any], path: Path) -> None:
    """Draw, for each row, how many times longer each peer takes than Parlour, on a logarithmic scale."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "parlour"  # the same figures give the same file
    mpl.rcParams["svg.fonttype"] = "none"  # text stays text: smaller, and it can be searched
    from matplotlib import pyplot as plt

    rows = [row for row in data["rows"] if any(c["ratio"] and not c["ours"] for c in row["contestants"])]
    heights = [1 + sum(1 for c in row["contestants"] if c["ratio"]) for row in rows]
    drawing, axes = plt.subplots(
        len(rows), 1, figsize=(9, 0.27 * sum(heights) + 0.3 * len(rows)), height_ratios=heights, squeeze=False
    )
    for row, ax in zip(rows, axes[:, 0], strict=True):
        shown = [c for c in row["contestants"] if c["ratio"]][::-1]
        colours = ["#0b6e4f" if c["ours"] else "#9aa5b1" for c in shown]
        ax.barh([c["name"] for c in shown], [c["ratio"] for c in shown], color=colours, left=0)
        ax.set_xscale("log")
        ax.set_xlim(left=min(0.5, *(c["ratio"] / 2 for c in shown)))
        ax.set_title(row["title"], loc="left", fontsize=9, fontweight="bold")
        ax.tick_params(labelsize=8)
        for place, c in enumerate(shown):
            ax.annotate(
                figure(c["seconds"], row["unit"]),
                (c["ratio"], place),
                (4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    axes[-1, 0].set_xlabel("time, as a multiple of Parlour's (shorter is better)", fontsize=8)
    drawing.tight_layout()
    drawing.savefig(path, metadata={"Date": None})
    plt.close(drawing)
