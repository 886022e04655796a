"""Presets of a host, over HTTP: kept with the identity, few, and good on another device."""

from __future__ import annotations

import pytest

from parlour.client import ApiError, AsyncClient
from parlour.tables.presets import PRESETS_EACH


async def test_a_preset_is_saved_offered_on_another_device_and_opens_a_table(house) -> None:
    ann = await house.client("Ann")
    saved = await ann.save_preset(" Friday  game ", "holdem", small_blind=5, big_blind=10, min_buy_in=100, seats=6)
    assert (saved["name"], saved["game"], saved["settings"]["big_blind"]) == ("Friday game", "holdem", 10)
    assert saved["settings"]["approve_seats"] is False, "defaults are written out: a later version keeps their meaning"
    await ann.save_preset("Blitz", "chess", minutes=3)
    link = await ann.transfer()
    async with AsyncClient(house.url) as phone:
        await phone.redeem(link["code"])
        blitz, friday = await phone.presets()
        assert (blitz["name"], friday) == ("Blitz", saved)
        table = await phone.create_table(friday["game"], **friday["settings"])
        assert (await table.view())["settings"] == friday["settings"]
        assert await phone.delete_preset(friday["id"]) == [blitz]
        assert await phone.delete_preset(friday["id"]) == [blitz]
    assert await (await house.client("Bo")).presets() == []


async def test_the_same_name_replaces_and_there_are_only_a_few(house) -> None:
    ann = await house.client("Ann")
    for number in range(PRESETS_EACH):
        await ann.save_preset(f"Evening {number}", "chess")
    await ann.save_preset("EVENING 0", "chess", minutes=1)
    assert next(preset["settings"]["minutes"] for preset in await ann.presets()) == 1
    assert len(await ann.presets()) == PRESETS_EACH
    with pytest.raises(ApiError) as error:
        await ann.save_preset("One more", "chess")
    assert (error.value.status, error.value.code) == (409, "too_many_presets")


@pytest.mark.parametrize(
    ("preset", "status"),
    [
        (("Poker", "holdem", {"small_blind": 20}), 400),
        (("Poker", "holdem", {"colour": "red"}), 400),
        (("Bridge", "bridge", {}), 404),
        (("", "chess", {}), 422),
        (("\u200b", "chess", {}), 400),
        (("x" * 41, "chess", {}), 422),
        (("Long", "chess", {"start_fen": "8" * 5000}), 400),
    ],
)
async def test_what_opens_no_table_is_no_preset(house, preset, status: int) -> None:
    ann = await house.client("Ann")
    name, game, settings = preset
    with pytest.raises(ApiError) as error:
        await ann.save_preset(name, game, **settings)
    assert error.value.status == status
    assert await ann.presets() == []
