"""Tournaments at real tables: a director makes the tables as the log says, whatever happens to the server."""

from __future__ import annotations

import sys

import msgspec
import pytest
from tests.patience import until
from tests.tournaments.night import Night

from parlour.aside import SHORT_TURN
from parlour.tables.errors import Busy, NotAllowed, NotFound, Unreadable
from parlour.tables.records.statistics import RoundFilter
from parlour.tournaments.plan import format_of


async def test_a_sit_and_go_is_played_to_the_winner(night):
    await night.announce(6, "sitngo", entries_max=6)
    await night.play()
    state = await night.audit()
    assert next(one.place for one in state.standings) == 1
    assert state.reason == "played"


async def test_a_multi_table_tournament_is_played_to_the_winner(night):
    await night.announce(26, seats=6, bounty=4, late_until=0)
    await night.tournaments.start(night.code, night.people[0])
    await night.play()
    state = await night.audit()
    assert state.p.left == 1
    assert all(table.gone for table in state.tables.values())


async def test_absent_players_are_blinded_off(night):
    await night.announce(5, "sitngo", entries_max=5, levels=[[4, 100, 200], [4, 400, 800], [4, 1500, 3000]])
    night.absent = {night.people[1].id, night.people[2].id}
    await night.play()
    state = await night.audit()
    assert state.status == "finished"


async def test_late_entries_and_re_entries_get_seats(night):
    await night.announce(12, seats=4, enter=8, late_until=3, reentries=1, levels=[[30, 25, 50]] * 4)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: bool(state.p.out))
    for identity in night.people[8:]:
        await night.tournaments.enter(night.code, identity)
    state = await night.state()
    gone = state.entry(state.p.out[0].entry).player
    await night.tournaments.enter(night.code, night.by_id[gone])
    await night.play()
    state = await night.audit()
    assert (len(state.standings), state.p.money) == (12, 130)


async def test_a_rebuy_fills_the_stack_at_the_table(night):
    await night.announce(4, seats=4, rebuys=2, rebuy_until=9, late_until=0, levels=[[1000, 25, 50]] * 10)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: bool(state.p.offers))
    state = await night.state()
    (entry,) = list(state.p.offers)[:1]
    who = night.by_id[state.entry(entry).player]
    view = msgspec.json.decode(await night.tournaments.view(night.code, who))
    assert "rebuy" in view["you"]["can"]
    await night.tournaments.rebuy(night.code, who)
    await night.play()
    assert (await night.audit()).entry(entry).rebuys == 1


async def test_a_pause_lets_hands_end_and_none_begin(night):
    await night.announce(12, seats=4)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: sum(table.reported for table in state.tables.values()) > 3)
    await night.tournaments.host(night.code, night.people[0], "pause", {})
    await night.play(lambda state: not any(table.ordered for table in state.tables.values()))
    assert not any(table.state.room.round_open for table in night.tables())
    await night.tournaments.host(night.code, night.people[0], "resume", {})
    await night.play()
    await night.audit()


async def test_blinds_at_the_tables_are_those_of_the_level(night):
    await night.announce(4, "sitngo", entries_max=4, levels=[[2, 10, 20], [2, 20, 40], [500, 30, 60, 5]])
    night.styles = ("fold",)
    await night.play(lambda state: state.p.level == 3 and state.tables[1].hands > 1)
    (table,) = night.tables()
    settings = table.state.room.settings
    assert (settings["small_blind"], settings["big_blind"], settings["ante"]) == (30, 60, 5)


async def test_a_table_closed_by_hand_loses_nobody_and_no_chip(night):
    await night.announce(12, seats=4)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: sum(table.reported for table in state.tables.values()) > 5)
    await night.tables()[0].close()
    await night.play()
    state = await night.audit()
    assert state.reason == "played"


async def test_somebody_removed_in_the_middle_of_a_hand_takes_the_chips_out(night):
    await night.announce(6, seats=6, late_until=0)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: state.tables[1].reported > 1)
    await night.play(lambda state: any(table.state.room.round_open for table in night.tables()))
    state = await night.state()
    entry = next(entry.number for entry in state.entries if entry.status == "playing")
    await night.tournaments.host(night.code, night.people[0], "remove", {"entry": entry})
    await night.play()
    state = await night.audit()
    assert state.entry(entry).status == "removed"
    assert state.standings[-1].entry == entry


async def test_a_tournament_closed_by_the_host_closes_its_tables(night):
    await night.announce(10, seats=5)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: sum(table.reported for table in state.tables.values()) > 3)
    await night.tournaments.host(night.code, night.people[0], "close", {})
    state = await night.audit()
    assert sum(one.prize for one in state.standings) == 100
    assert night.tables() == []


async def test_the_host_who_leaves_changes_nothing(night):
    await night.announce(6, seats=6, late_until=0)
    await night.tournaments.start(night.code, night.people[0])
    await night.tournaments.withdraw(night.code, night.people[0])
    await night.play()
    await night.audit()


async def test_who_is_not_the_host_has_no_powers_and_no_table_is_a_tournament(night):
    await night.announce(3)
    for asked in (
        night.tournaments.start(night.code, night.people[1]),
        night.tournaments.host(night.code, night.people[1], "close", {}),
    ):
        with pytest.raises(NotAllowed):
            await asked
    log = await night.log()
    for asked in (
        log.sit(night.people[1], None, {}),
        log.host(night.people[0], "close", {}),
        log.leave(night.people[0]),
    ):
        with pytest.raises(NotAllowed):
            await asked
    assert await night.parlour.lobby() == []
    assert await night.parlour.tables_of(night.people[0]) == []
    table = await night.parlour.create_table(night.people[0], "holdem", {})
    with pytest.raises(NotFound):
        await night.tournaments.open(table.code)


async def test_a_repeated_command_is_carried_out_once(night):
    await night.announce(2, enter=1)
    first = await night.tournaments.enter(night.code, night.people[1], "k1")
    assert await night.tournaments.enter(night.code, night.people[1], "k1") == first
    with pytest.raises(Busy) as refused:
        await night.tournaments.enter(night.code, night.people[1], "k2")
    assert refused.value.code == "already_entered"


async def test_the_list_has_public_tournaments_and_how_many_play(night):
    await night.announce(3, enter=2)
    await night.tournaments.create(night.people[0], "holdem", "Secret", "sitngo", {"private": True})
    (line,) = await night.tournaments.list()
    assert (line["name"], line["status"], line["players"]) == ("Night", "registering", 2)


async def test_who_withdraws_sits_out_at_the_table_and_sits_in_again_with_the_entry(night):
    await night.announce(4, "sitngo", entries_max=4)
    night.styles = ("fold", "call", "check")
    await night.play(lambda state: state.status == "running" and state.tables[1].reported > 0)
    who = night.people[1]
    (table,) = night.tables()
    (seat,) = table.state.seats_of(who.id)
    await night.tournaments.withdraw(night.code, who)
    await night.play(lambda state: table.state.play.record.players[seat].out)
    await night.tournaments.enter(night.code, who)
    await night.play(lambda state: not table.state.play.record.players[seat].out)


async def test_a_tournament_let_go_before_the_start_starts_in_time(night):
    start_at = night.clock.now() + 3_600_000
    await night.announce(3, start_at=start_at)
    log = await night.log()
    night.parlour._let_go(log)
    assert night.parlour.live() == []
    night.clock.time = start_at
    await night.parlour.tick()
    await night.play()
    assert (await night.audit()).reason == "played"


async def test_a_table_whose_log_cannot_be_read_is_replaced(new_sqlite):
    night = Night(new_sqlite)
    await night.open()
    await night.announce(8, seats=4, late_until=0)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: sum(table.reported for table in state.tables.values()) > 2)
    state = await night.state()
    broken = next(table for table in state.tables.values() if not table.closed)
    await night.kill()
    await night.open()
    whole = night.parlour._live.fold

    async def torn(log):
        if log.table == broken.id:
            raise Unreadable("unreadable", "the log of this table is torn")
        return await whole(log)

    night.parlour._live.fold = torn
    await night.play()
    await night.settled()
    assert (await night.state()).reason == "played"
    await night.close()


async def test_hands_of_a_tournament_are_kept_apart_in_statistics(night):
    await night.announce(3, "sitngo", entries_max=3)
    await night.play()
    state = await night.audit()
    for table in state.tables.values():
        await night.parlour.archive.catch_up(await night.parlour.open_by_id(table.id))
    found = await night.parlour.statistics_in(night.people[0], "holdem", RoundFilter())
    assert found.total.rounds
    assert [(part.key, part.rounds) for part in found.stakes] == [("tournament", found.total.rounds)]


async def test_grace_that_was_used_at_one_table_is_used_at_the_next(night):
    await night.announce(4, seats=3, grace=10)
    night.styles = ("fold",)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: len(night.tables()) == 2 and all(one.state.to_act() for one in night.tables()))
    here, there = night.tables()
    (who,) = here.state.to_act()
    turn = here.state.rules.turn(here.state.play)
    due = here.due
    here.subscribe(night.by_id[who], id).close()
    night.clock.time = due + 4_000
    await night.parlour.tick()
    await here.act(night.by_id[who], {"type": "fold"}, turn)
    state = await night.state()
    await until(lambda: state.entry_of(who).grace is not None)
    assert state.entry_of(who).grace.ms == 4_000
    other = next(holder.id for holder in there.state.room.seats if holder is not None)
    await night.tournaments.host(night.code, night.people[0], "remove", {"entry": state.entry_of(other).number})
    await night.play(
        lambda state: any(
            len(table.state.to_act()) and sum(map(bool, table.state.room.seats)) == 3 for table in night.tables()
        )
    )
    (final,) = (table for table in night.tables() if sum(map(bool, table.state.room.seats)) == 3)
    left = final.state.grace_left(who, night.clock.time)
    assert 6_000 <= left < 7_000
    assert final.state.seats_of(who)


async def test_what_is_worked_out_ahead_shares_the_interpreter(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairings take long, and are worked out in Python on a thread."""
    turns: list[float] = []
    works = [lambda: turns.append(sys.getswitchinterval())]
    await night.announce(2, seats=2)
    known = type(format_of((await night.log()).state.play))
    monkeypatch.setattr(known, "prepare", lambda self, state: works.pop() if works else None)
    await night.tournaments.start(night.code, night.people[0])
    await until(lambda: bool(turns))
    assert turns == [pytest.approx(SHORT_TURN)]
