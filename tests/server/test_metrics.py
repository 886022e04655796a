"""What Prometheus is told: every metric is documented, and what deploy/ asks for exists."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from pathlib import Path

import yaml

import parlour
from parlour.tables.errors import Unavailable, Unreadable
from parlour.tables.histogram import BOUNDS, Histogram
from parlour.version import COMMIT

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
DESCRIBED = re.findall(r"^\| `(parlour_\w+)`", PAGE, re.MULTILINE)
OF_NODES = DESCRIBED[DESCRIBED.index("parlour_nodes") :]
"""What only nodes have: tests/nodes/test_nodes.py asks one."""


async def told(house) -> str:
    return await (await house.ask("GET", "/metrics")).text()


async def value(house, name: str) -> float:
    (found,) = re.findall(rf"^{re.escape(name)} (\S+)$", await told(house), re.MULTILINE)
    return float(found)


async def test_the_page_describes_every_metric_and_no_other(house) -> None:
    names = re.findall(r"^# TYPE (parlour_\w+) ", await told(house), re.MULTILINE)
    assert sorted([*names, *OF_NODES]) == sorted(DESCRIBED)


async def test_dashboard_and_alerts_ask_for_metrics_that_exist(house) -> None:
    exported = re.findall(r"^(\w+)[ {]", await told(house), re.MULTILINE)
    known = {*exported, *DESCRIBED, *(f"{name}_bucket" for name in DESCRIBED if name.endswith("_seconds")), "up"}
    board = json.loads((ROOT / "deploy/grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    rules = yaml.safe_load((ROOT / "deploy/alerts.yaml").read_text(encoding="utf-8"))
    asked += [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    named = {name for text in asked for name in re.findall(r"\b(?:up|(?:parlour|process|python)_\w+)\b", text)}
    assert named - known == set()
    assert {name.removesuffix("_bucket") for name in named} >= set(DESCRIBED), "a metric that no panel shows"


def test_alerts_see_the_first_count_of_a_new_series() -> None:
    """A counter with labels begins with its first count. `increase` compares two samples, and sees nothing in that."""
    rules = yaml.safe_load((ROOT / "deploy/alerts.yaml").read_text(encoding="utf-8"))
    exprs = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    counted = [(expr, series) for expr in exprs for series in re.findall(r"increase\((\S+)\[", expr)]
    assert counted
    assert all(f"{series} unless {series} offset" in expr for expr, series in counted)


async def test_metrics_name_the_build(house) -> None:
    assert f'parlour_build_info{{commit="{COMMIT or ""}",version="{parlour.__version__}"}} 1.0' in await told(house)


async def test_moves_commits_and_acknowledgements_are_counted(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    moves, commits = await value(house, "parlour_moves_total"), await value(house, "parlour_commit_seconds_count")
    assert await value(house, "parlour_action_seconds_count") == 0
    async with tables[0].connect() as connection:
        await connection.chat("hello")
        await connection.command("action", "k1", action={"type": "move", "uci": "e2e4"}, turn=None)
    assert await value(house, "parlour_moves_total") == moves + 2
    assert await value(house, "parlour_commit_seconds_count") >= commits + 2
    assert await value(house, "parlour_action_seconds_count") == 1, "chat is no action"
    assert await value(house, "parlour_action_seconds_sum") > 0


async def test_tables_are_counted_by_their_state(house) -> None:
    tables = await house.table("chess", "Ann", "Ben")
    await house.table("chess", "Cid", "Dan", start=False)
    assert await value(house, 'parlour_tables{state="playing"}') == 1
    assert await value(house, 'parlour_tables{state="waiting"}') == 1
    await tables[0].host("pause")
    assert await value(house, 'parlour_tables{state="paused"}') == 1
    live = await house.parlour.open(tables[0].code)
    house.parlour._live._close_off(live.entry(), Unreadable("unreadable", "for this test"))
    assert await value(house, 'parlour_tables{state="unreadable"}') == 1
    assert await value(house, 'parlour_tables{state="paused"}') == 0


async def test_readiness_is_told_with_its_reason(house, monkeypatch) -> None:
    assert await value(house, "parlour_ready") == 1

    async def silent() -> None:
        raise Unavailable("database_silent", "for this test", 1)

    monkeypatch.setattr(house.parlour.store, "check", silent)
    house.site.readiness._asked_at = None
    assert await value(house, "parlour_ready") == 0
    assert await value(house, 'parlour_away{reason="database_silent",what="server"}') == 1


def test_a_histogram_counts_by_duration() -> None:
    histogram = Histogram()
    for seconds in (0.0, BOUNDS[0], 0.003, 99.0):
        histogram.observe(seconds)
    assert histogram.counts[0] == 2, "a bound belongs to the count below it"
    assert histogram.counts[bisect_left(BOUNDS, 0.003)] == 1
    assert histogram.counts[-1] == 1
    assert sum(histogram.counts) == 4
    assert (histogram.take_worst(), histogram.take_worst()) == (99.0, 0.0)
