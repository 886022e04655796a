"""A new key while people play: nobody notices, and whoever is killed in between can open everything."""

from __future__ import annotations

import pytest
import structlog

from parlour.games.registry import Registry
from parlour.storage.seal import KEY_VARIABLE, find_key, rotate_key
from parlour.tables import Parlour
from parlour.tables.errors import Unavailable
from parlour.tables.records.key import FINGERPRINT, SHELF
from parlour.tables.testing import HighCard


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    return tmp_path / "parlour.key"


@pytest.fixture
def start(evening, path):
    """Starts a server on the key in the file, beside one that was killed, if there is one."""

    async def start():
        parlour = Parlour(evening.new_store(), evening.clock, evening.entropy, find_key(path), Registry(HighCard()))
        await parlour.start()
        parlour._beating.cancel()
        evening.parlours.append(parlour)
        return parlour

    return start


async def play(parlour, evening, table, people):
    """A round."""
    for _ in range(2):
        state = table.state
        (seat,) = state.rules.actors(state.play)
        player = next(one for one in people if one.id == state.room.seats[seat].id)
        await table.act(player, {"type": "stay"}, state.rules.turn(state.play))
    await evening.pass_time(parlour, 1_000)


@pytest.mark.parametrize("killed", ["never", "before the server knows", "before the database knows"])
async def test_a_table_goes_on_under_a_new_key(evening, start, path, killed, monkeypatch):
    parlour = await start()
    people = [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo")]
    table = await parlour.open((await parlour.create_table(people[0], "highcard", {})).code)
    for person in people:
        await table.sit(person, None, {})
    await table.start(people[0])
    await play(parlour, evening, table, people)
    old = find_key(path)
    rotate_key(path)
    if killed == "never":
        with structlog.testing.capture_logs() as lines:
            await parlour.keep_house()
            await parlour.keep_house()
        assert [line["event"] for line in lines] == ["a new key seals from now on"]
    if killed == "before the database knows":

        async def away(*_):
            raise Unavailable("database_silent", "the database does not answer")

        monkeypatch.setattr(parlour.store, "keep", away)
        with pytest.raises(Unavailable):
            await parlour.keep_house()
    await play(parlour, evening, table, people)
    if killed != "never":
        before, parlour = table, await start()
        table = await parlour.open(before.code)
        assert table.state.freeze() == before.state.freeze()
    last = table.seq
    await play(parlour, evening, table, people)
    assert await parlour.store.find(SHELF, FINGERPRINT) == find_key(path).fingerprint != old.fingerprint
    *_, sealed = [row for row in await parlour.store.rows(table.id, last) if row.readers is not None]
    with pytest.raises(ValueError, match="another key"):
        old.open(sealed.body, f"{table.id}/{sealed.seq}")
    assert (await parlour._live.fold(table.log))[0].freeze() == table.state.freeze()
