"""A deal at the final table, on paper: who may propose one, and what it pays."""

from __future__ import annotations

import pytest
from tests.tournaments.paper import MINUTE, Paper, person

from parlour.tables.errors import Against
from parlour.tournaments import decisions


def final_three(**settings) -> Paper:
    paper = Paper("sitngo", 9, payouts=[50, 30, 20], buy_in=100, **settings)
    for loser in range(1, 7):
        paper.hand(1, {loser: 0})
    return paper


def test_a_deal_needs_everybody_and_pays_the_shares_that_were_shown():
    paper = final_three()
    paper.tell(decisions.deal(paper.state, person(7), "icm", True))
    with pytest.raises(Against) as refused:
        decisions.deal(paper.state, person(8), "icm", True)
    assert refused.value.code == "hand_running"
    paper.hand(1, {8: 2000})
    shares = paper.state.p.deal.opened.shares
    assert paper.playing() == []
    assert sum(shares.values()) == 900
    paper.tell(decisions.deal(paper.state, person(8), "icm", True))
    assert paper.state.status == "running"
    paper.tell(decisions.deal(paper.state, person(9), "icm", True))
    assert (paper.state.status, paper.state.reason) == ("finished", "deal")
    assert {one.entry: one.prize for one in paper.state.standings if one.prize} == shares


def test_no_chip_is_raced_off_while_a_deal_for_these_stacks_is_asked():
    paper = final_three(levels=[[10, 25, 50], [10, 100, 200]], breaks=[], races="race", chips=[25, 100])
    paper.wait(10 * MINUTE - 5_000)
    paper.tell(decisions.deal(paper.state, person(7), "chips", True))
    paper.hand(1, {8: 2025})
    paper.wait(5_000)
    assert paper.state.p.level == 2
    assert paper.state.entry(8).chips == 2025
    dropped = paper.tell(decisions.deal(paper.state, person(9), "chips", False))
    assert paper.kinds(dropped) == ["DealDropped", "Raced", "RoundOrdered"]


def test_a_deal_falls_when_somebody_says_no_or_nobody_answers():
    paper = final_three()
    paper.tell(decisions.deal(paper.state, person(7), "chips", True))
    paper.hand(1)
    paper.tell(decisions.deal(paper.state, person(9), "chips", False))
    assert (paper.state.p.deal, paper.playing()) == (None, [1])
    with pytest.raises(Against) as refused:
        decisions.deal(paper.state, person(7), "icm", True)  # one proposal a level
    assert refused.value.code == "proposed"
    paper.tell(decisions.deal(paper.state, person(8), "icm", True))
    paper.hand(1)
    paper.wait(MINUTE)
    assert (paper.state.p.deal, paper.playing()) == (None, [1])


def against_bots(house: bool) -> Paper:
    """A person and two bots at the final table."""
    paper = Paper("sitngo", 1, entries_max=3, payouts=[50, 30, 20], buy_in=100)
    bots = [person(number, bot=True) for number in (2, 3)]
    if house:
        paper.tell(decisions.enter_bots(paper.state, bots, paper.now, paper.entropy))
    else:
        paper.enter(2, bot=True)
        paper.enter(3, bot=True)
    return paper


def test_bots_of_the_house_agree_at_once_to_what_people_propose():
    paper = against_bots(house=True)
    paper.tell(decisions.deal(paper.state, person(1), "icm", True))
    happened = paper.hand(1, {2: 1000})
    assert paper.kinds(happened) == ["HandReported", "DealOpened", "DealAgreed", "DealAgreed", "Finished"]
    assert (paper.state.status, paper.state.reason) == ("finished", "deal")


def test_a_bot_of_the_house_that_came_late_agrees_too():
    paper = Paper(entries=2, late_until=1, payouts=[60, 40], levels=[[10, 25, 50]] * 3, breaks=[])
    paper.tell(decisions.enter_bots(paper.state, [person(3, bot=True)], paper.now, paper.entropy))
    paper.wait(10 * MINUTE)
    paper.tell(decisions.deal(paper.state, person(1), "chips", True))
    paper.hand(1)
    assert paper.state.p.deal.agreed == [1, 3]
    paper.tell(decisions.deal(paper.state, person(2), "chips", True))
    assert paper.state.reason == "deal"


def test_a_program_that_somebody_entered_answers_a_deal_for_itself():
    paper = against_bots(house=False)
    paper.tell(decisions.deal(paper.state, person(1), "icm", True))
    paper.hand(1, {2: 1000})
    assert paper.state.p.deal.agreed == [1]
    for number in (2, 3):
        paper.tell(decisions.deal(paper.state, person(number, bot=True), "icm", True))
    assert paper.state.reason == "deal"


def test_who_is_absent_does_not_agree_to_a_deal():
    paper = final_three()
    paper.tell(decisions.withdraw(paper.state, person(9)))
    paper.tell(decisions.deal(paper.state, person(7), "chips", True))
    paper.hand(1)
    paper.tell(decisions.deal(paper.state, person(8), "chips", True))
    assert paper.state.p.deal.agreed == [7, 8]
    paper.wait(MINUTE)
    assert (paper.state.p.deal, paper.playing()) == (None, [1])


def test_no_deal_before_the_final_table():
    paper = Paper(entries=20, late_until=0)
    with pytest.raises(Against) as refused:
        decisions.deal(paper.state, person(1), "icm", True)
    assert refused.value.code == "no_deal"
