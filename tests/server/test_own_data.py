"""Everything about oneself: to take along."""

from __future__ import annotations

import io
import json
from zipfile import ZipFile

import aiohttp

from parlour.server.api import own_data


async def exported(house, token: str) -> ZipFile:
    async with (
        aiohttp.ClientSession(house.url, headers={"Authorization": f"Bearer {token}"}) as session,
        session.get("/api/v1/me/export") as answer,
    ):
        assert (answer.status, answer.content_type) == (200, "application/zip")
        return ZipFile(io.BytesIO(await answer.read()))


async def test_an_export_has_everything_about_oneself_and_nothing_hidden_of_others(house) -> None:
    ann, ben = await house.table("holdem", "Ann", "Ben", action_seconds=0, hand_delay=60)
    await ann.chat("good luck from Ann")
    await ben.chat("thanks from Ben")
    view = await ann.view()
    await (ann, ben)[view["state"]["actor"]].act({"type": "fold"})
    hidden = (await ben.view())["private"]["cards"]
    white, _ = await house.table("chess", "Ann", "Cy", side="white")
    chess_player = white._client
    me = await ann._client.me()
    await ann._client.rename(avatar="face:3")
    await ann._client.save_preset("Friday", "holdem", seats=6)
    archive = await exported(house, ann._client.token)
    assert archive.testzip() is None
    about = json.loads(archive.read("me.json"))
    assert about["identity"] | {"created": 0} == {**me, "avatar": "face:3", "created": 0}
    assert [device["device"] for device in about["devices"]] == ["Python"]
    assert [preset["name"] for preset in about["presets"]] == ["Friday"]
    assert about["statistics"]["holdem"]["hands"] == 1
    messages = [json.loads(line) for line in archive.read("messages.jsonl").splitlines()]
    assert [(one["table"], one["text"]) for one in messages] == [(ann.code, "good luck from Ann")]
    hands = archive.read("rounds.phhs").decode()
    own = (await ann.view())["private"]["cards"]
    assert "".join(own) in hands
    assert "".join(hidden) not in hands
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert ann._client.token not in everything
    await chess_player.table(white.code).act({"type": "resign"})
    assert "[White" in (await exported(house, chess_player.token)).read("rounds.pgn").decode()


async def test_exports_are_few_at_a_time_and_for_oneself_alone(house) -> None:
    ann, ben = await house.client("Ann"), await house.client("Ben")
    assert (await house.ask("GET", "/api/v1/me/export")).status == 401
    id_ = (await ann.me())["id"]
    house.site.exporting.add(id_)
    answer = await house.ask("GET", "/api/v1/me/export", headers={"Authorization": f"Bearer {ann.token}"})
    assert (answer.status, (await answer.json())["code"]) == (409, "export_under_way")
    await exported(house, ben.token)
    house.site.exporting |= {str(number) for number in range(own_data.AT_ONCE)}
    answer = await house.ask("GET", "/api/v1/me/export", headers={"Authorization": f"Bearer {ben.token}"})
    assert answer.status == 409
