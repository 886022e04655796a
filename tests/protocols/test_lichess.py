"""The Lichess dialect line by line: forms and JSON, errors, streams, and the conversation of lichess-bot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from tests.patience import time_limit, until, until_found

from parlour.protocols.lichess import Lichess, book, streams, words
from parlour.protocols.lichess.users import LichessUsers
from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.tables.live.service import Parlour

from .conftest import Serve, admit

ENDGAME = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
CLOCK = {"rated": "false", "clock.limit": "300", "clock.increment": "0", "color": "white"}


class Stream:
    """Lines of an answer that stays open."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self._answer = answer
        self.blank = 0

    async def next(self) -> dict[str, Any] | None:
        """The next line that is not empty; None at the end."""
        async with time_limit():
            while raw := await self._answer.content.readline():
                if raw.strip():
                    line: dict[str, Any] = json.loads(raw)
                    return line
                self.blank += 1
        return None

    async def until(self, kind: str) -> dict[str, Any]:
        while (line := await self.next()) is not None:
            if line["type"] == kind:
                return line
        raise AssertionError(f"the stream ended without a {kind}")

    def close(self) -> None:
        self._answer.close()


class Client:
    """Somebody who speaks the dialect with a token."""

    def __init__(self, session: aiohttp.ClientSession, url: str, token: str) -> None:
        self.session, self.url, self.token = session, url, token
        self.headers = {"Authorization": f"Bearer {token}"}

    async def ask(self, method: str, path: str, **options: Any) -> tuple[int, Any]:
        async with self.session.request(method, self.url + path, headers=self.headers, **options) as answer:
            return answer.status, await answer.json(content_type=None)

    async def post(self, path: str, **options: Any) -> Any:
        status, answer = await self.ask("POST", path, **options)
        assert status == 200, answer
        return answer

    async def get(self, path: str) -> Any:
        status, answer = await self.ask("GET", path)
        assert status == 200, answer
        return answer

    async def text(self, path: str) -> str:
        async with self.session.get(self.url + path, headers=self.headers) as answer:
            assert answer.status == 200
            return await answer.text()

    async def stream(self, path: str) -> Stream:
        answer = await self.session.get(self.url + path, headers=self.headers)
        assert answer.status == 200, await answer.text()
        return Stream(answer)

    async def move(self, game: str, uci: str) -> None:
        await self.post(f"/api/bot/game/{game}/move/{uci}")


class House:
    def __init__(self, parlour: Parlour, session: aiohttp.ClientSession, url: str) -> None:
        self.parlour, self.session, self.url = parlour, session, url

    async def client(self, name: str, bot: bool = True) -> Client:
        _, token = await self.parlour.create_identity(name, bot=bot)
        return Client(self.session, self.url, token)

    async def game(self, white: Client, black: Client, **terms: str) -> str:
        name = (await black.get("/api/account"))["username"]
        challenge = await white.post(f"/api/challenge/{name}", data={**CLOCK, **terms})
        await black.post(f"/api/challenge/{challenge['id']}/accept")
        return str(challenge["id"])


@pytest.fixture
async def house(parlour: Parlour, serve: Serve) -> AsyncIterator[House]:
    url = await serve(Lichess(parlour, admit))
    async with aiohttp.ClientSession() as session:
        yield House(parlour, session, url)


async def test_one_game_as_lichess_bot_plays_it(house: House) -> None:
    """The conversation of lichess-bot: forms, raw bodies, query parameters, and streams that end by themselves."""
    person, bot = await house.client("Ann", bot=False), await house.client("My Bot", bot=False)
    tested = await bot.post("/api/token/test", data=bot.token)
    assert "bot:play" in tested[bot.token]["scopes"].split(",")
    assert (await bot.get("/api/account"))["title"] is None
    assert await bot.post("/api/bot/account/upgrade") == {"ok": True}
    account = await bot.get("/api/account")
    assert (account["title"], account["username"], account["id"]) == ("BOT", "My-Bot", "my-bot")
    assert await bot.get("/api/account/playing") == {"nowPlaying": []}
    events = await bot.stream("/api/stream/event")
    terms = {"rated": False, "clock.limit": 60, "clock.increment": 1, "days": None, "color": "white", "fen": None}
    await person.post("/api/challenge/My-Bot", json=terms)
    challenge = (await events.until("challenge"))["challenge"]
    assert (challenge["challenger"]["name"], challenge["timeControl"]["limit"]) == ("Ann", 60)
    assert await bot.get("/api/account/playing") == {"nowPlaying": []}
    assert await bot.post(f"/api/challenge/{challenge['id']}/accept") == {"ok": True}
    start = (await events.until("gameStart"))["game"]
    assert (start["id"], start["opponent"]["username"]) == (challenge["id"], "Ann")
    game = start["id"]
    lines = await bot.stream(f"/api/bot/game/stream/{game}")
    full = await lines.until("gameFull")
    is_white = full["white"]["name"].lower() == account["username"].lower()
    assert not is_white
    for room in ("spectator", "player"):
        await bot.post(f"/api/bot/game/{game}/chat", data={"room": room, "text": f"Hello {room}"})
    assert (await lines.until("chatLine"))["text"] == "Hello player", "the opponent is not told what spectators are"
    for own, uci in enumerate(["f2f3", "e7e5", "g2g4", "d8h4"]):
        mover = (person, bot)[own % 2]
        await mover.post(f"/api/bot/game/{game}/move/{uci}", params={"offeringDraw": "false"})
        state = await lines.until("gameState")
    assert (state["moves"], state["status"], state["winner"]) == ("f2f3 e7e5 g2g4 d8h4", "mate", "black")
    assert await lines.next() is None, "the final state is the last line"
    for room in ("player", "spectator"):
        await bot.post(f"/api/bot/game/{game}/chat", data={"room": room, "text": "Good game!"})
    assert (await events.until("gameFinish"))["game"]["winner"] == "black"
    pgn = await bot.text(f"/game/export/{game}")
    assert '[Black "My-Bot"]' in pgn, "the name that the bot looks for in its own record"
    assert "Qh4#" in pgn
    assert await bot.get("/api/users/status?ids=my-bot") == [
        {"id": "my-bot", "name": "My-Bot", "title": "BOT", "online": True, "playing": False}
    ]
    events.close()


@pytest.mark.parametrize("limit", ["guesses=0.0001/3", "guesses=0.0001/30"])
async def test_wrong_codes_of_others_hold_up_no_game(parlour: Parlour, serve: Serve, limit: str) -> None:
    """Somebody behind the same router guesses codes of games: those who play there go on, and the guesser does not."""
    admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", limit])))
    url = await serve(Lichess(parlour, admission), admission)
    async with aiohttp.ClientSession() as session:
        house = House(parlour, session, url)
        ann, bob, eve = [await house.client(name) for name in ("Ann", "Bob", "Eve")]
        game, other = await house.game(ann, bob), await house.game(ann, bob)
        statuses = []
        for last in "ABCDEFGH":
            async with session.get(f"{url}/game/export/QQQQQQQQ{last}") as answer:
                statuses.append(answer.status)
        spent = limit.endswith("/3")
        assert statuses == ([404] * 3 + [429] * 5 if spent else [404] * 8)
        await ann.move(game, "e2e4")
        lines = await bob.stream(f"/api/bot/game/stream/{game}")
        assert (await lines.until("gameFull"))["state"]["moves"] == "e2e4"
        await bob.move(game, "e7e5")
        await bob.post(f"/api/bot/game/{game}/resign")
        assert '[Result "1-0"]' in await ann.text(f"/game/export/{game}")
        await ann.post(f"/api/challenge/{other}/cancel")
        await ann.post("/api/challenge/bob", data=CLOCK)
        for code in (game, "QQQQQQQQZ"):
            refused = (await eve.ask("POST", f"/api/bot/game/{code}/resign"))[0]
            assert refused == (429 if spent else 404), "a right guess is not told from a wrong one"


async def test_a_wrong_user_name_is_no_guess(parlour: Parlour, serve: Serve) -> None:
    admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", "guesses=0.0001/1"])))
    url = await serve(Lichess(parlour, admission), admission)
    async with aiohttp.ClientSession() as session:
        ann = await House(parlour, session, url).client("Ann")
        for name in ("nobody", "open", "nobody", "open"):
            status, answer = await ann.ask("POST", f"/api/challenge/{name}", data=CLOCK)
            assert (status, set(answer)) == (404, {"error"})
        assert (await ann.ask("GET", "/game/export/QQQQQQQQA"))[0] == 404


async def test_a_talkative_bot_plays_on(house: House) -> None:
    """lichess-bot gives a game up where a line of its chat is refused."""
    ann, bob = await house.client("Ann"), await house.client("Bob")
    for _ in range(4):
        game = await house.game(ann, bob)
        for number in range(6):
            said = {"room": "player", "text": f"line {number}"}
            assert await bob.post(f"/api/bot/game/{game}/chat", data=said) == {"ok": True}
        await ann.move(game, "e2e4")
        await bob.move(game, "e7e5")
    assert len(await bob.get(f"/api/bot/game/{game}/chat")) < 6, "more than the table takes is dropped"


async def test_games_that_a_stream_begins_with_are_told_one_after_another(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    games = [await house.game(ann, bob) for _ in range(3)]
    events = await bob.stream("/api/stream/event")
    told, times = [], []
    for _ in games:
        told.append((await events.until("gameStart"))["game"]["id"])
        times.append(asyncio.get_running_loop().time())
    assert told == games
    assert times[-1] - times[0] > streams.APART, "lichess-bot loses games that begin at the same moment"
    events.close()


async def test_a_game_that_is_over_says_so(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    game = await house.game(ann, bob)
    await ann.post(f"/api/bot/game/{game}/resign")
    over = (400, {"error": "The game is over"})
    assert await ann.ask("POST", f"/api/bot/game/{game}/move/e2e4") == over
    await (await house.parlour.open(game)).close()
    assert await ann.ask("POST", f"/api/bot/game/{game}/move/e2e4") == over
    assert await ann.ask("POST", f"/api/bot/game/{game}/resign") == over
    assert await ann.post(f"/api/bot/game/{game}/chat", data={"room": "player", "text": "Good game!"}) == {"ok": True}


async def test_users_are_told_for_a_list_of_names(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob", bot=False)
    for one in (ann, bob):
        await one.get("/api/account")
    users = await ann.post("/api/users", data="bob, nobody,Ann,\xff")
    assert [(user["id"], user["title"], user["online"]) for user in users] == [
        ("bob", None, False),
        ("ann", "BOT", False),
    ]
    assert await ann.post("/api/users", data=b"\xff\xfe") == []


async def test_the_address_in_a_clients_log_leads_to_the_table(parlour: Parlour, serve: Serve) -> None:
    url = await serve(Lichess(parlour, admit, public_url="https://play.example/"))
    async with aiohttp.ClientSession() as session:
        for path in ("/ABCDEFGHJ", "/ABCDEFGHJ/black"):
            async with session.get(url + path, allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"]) == (302, "https://play.example/t/ABCDEFGHJ")
        async with session.get(f"{url}/ABCDEFGHJ/green", allow_redirects=False) as answer:
            assert answer.status == 404


@pytest.mark.parametrize(
    ("styles", "expected"),
    [
        ("medium easy hard engine", "easy easy easy medium medium medium hard hard"),
        ("medium easy hard level1 level2 level3 level4 level5 level6 level7",
         "level1 level1 level2 level3 level4 level5 level6 level7"),
    ],
)  # fmt: skip
def test_each_of_lichess_levels_has_one_of_the_house(parlour: Parlour, styles: str, expected: str) -> None:
    users = LichessUsers(parlour, styles.split())
    assert [users.of_level(level).style for level in words.LEVELS] == expected.split()


async def test_a_house_without_bots_has_no_level(house: House) -> None:
    ann = await house.client("Ann")
    status, answer = await ann.ask("POST", "/api/challenge/ai", json={"level": 1})
    assert (status, set(answer)) == (404, {"error"})
    for level in (None, 0, 9, 1.5, "best"):
        assert (await ann.ask("POST", "/api/challenge/ai", json={"level": level}))[0] == 400


async def test_errors_are_told_as_lichess_tells_them(house: House) -> None:
    ann, bob, eve = [await house.client(name) for name in ("Ann", "Bob", "Eve")]
    nobody = Client(house.session, house.url, "nobody's")
    for path in ("/api/account", "/api/account/playing", "/api/stream/event"):
        assert await nobody.ask("GET", path) == (401, {"error": "No such token"})
    assert await ann.ask("GET", "/api/no/such/path") == (404, {"error": "Not found"})
    assert await ann.ask("POST", "/api/challenge/nobody", data=CLOCK) == (404, {"error": "No such user"})
    await ann.get("/api/account")
    status, own = await ann.ask("POST", "/api/challenge/Ann", data=CLOCK)
    assert (status, own) == (400, {"error": "You cannot challenge yourself"})
    await bob.get("/api/account")
    wrong: list[dict[str, Any]] = [
        {"data": {**CLOCK, "clock.limit": "five"}},
        {"data": {**CLOCK, "clock.limit": "1"}},
        {"data": {**CLOCK, "clock.increment": "500"}},
        {"data": {**CLOCK, "days": "3"}},
        {"data": {**CLOCK, "variant": "bughouse"}},
        {"data": {**CLOCK, "color": "green"}},
        {"data": {**CLOCK, "rated": "perhaps"}},
        {"data": {**CLOCK, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}},
        *[{"data": {**CLOCK, "fen": ENDGAME, "variant": key}} for key in ("atomic", "crazyhouse", "threeCheck")],
        {"data": {"clock.increment": "5"}},
        {"data": {"days": "1.5"}},
        {"json": {"clock.limit": True}},
        {"json": [1]},
        {"data": b"{broken"},
        {"data": b"\xff\xfe"},
    ]
    for options in wrong:
        status, answer = await ann.ask("POST", "/api/challenge/bob", **options)
        assert status == 400, options
        assert set(answer) == {"error"}
    game = await house.game(ann, bob)
    assert (await bob.ask("POST", f"/api/bot/game/{game}/move/e7e5"))[0] == 400
    assert (await ann.ask("POST", f"/api/bot/game/{game}/move/e2e5"))[0] == 400
    for method, path in (("POST", f"/api/bot/game/{game}/resign"), ("GET", f"/api/bot/game/stream/{game}")):
        assert await eve.ask(method, path) == (404, {"error": "No such game"})
    assert (await eve.ask("POST", f"/api/challenge/{game}/accept"))[0] == 404
    assert (await ann.ask("POST", "/api/bot/game/ABCDEFGHJ/abort"))[0] == 404
    assert (await ann.ask("POST", f"/api/bot/game/{game}/draw/perhaps"))[0] == 400
    assert (await ann.ask("POST", f"/api/bot/game/{game}/chat", json={"room": "player"}))[0] == 400
    assert (await ann.ask("GET", f"/game/export/{game}"))[0] == 404, "only finished games are exported"
    status, answer = await ann.ask("POST", f"/api/board/game/{game}/claim-victory/")
    assert (status, set(answer)) == (400, {"error"})


async def test_names_are_unique_stay_and_are_found_by_identity_too(house: House) -> None:
    parlour = house.parlour
    first, first_token = await parlour.create_identity("Zoë")
    tokens = [first_token, *[(await parlour.create_identity("Zoe"))[1] for _ in range(2)]]
    accounts = [await Client(house.session, house.url, token).get("/api/account") for token in tokens]
    names = [account["username"] for account in accounts]
    assert names == ["Zoe", "Zoe-2", "Zoe-3"]
    client = Client(house.session, house.url, first_token)
    await parlour.rename(first, "Somebody Else")
    assert (await client.get("/api/account"))["username"] == "Zoe"
    stranger, _ = await parlour.create_identity("house-hard")
    found = await client.get(f"/api/user/{stranger.id}")
    assert found["username"] == "player-house-hard"
    assert (await client.get("/api/user/ZOE-2"))["id"] == "zoe-2"
    assert (await client.ask("GET", "/api/user/house-hard"))[0] == 404, "this house has no bots"


async def test_one_event_stream_a_token_and_empty_lines_while_it_is_quiet(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE", 0.01)
    ann = await house.client("Ann")
    bob = await house.client("Bob")
    first = await ann.stream("/api/stream/event")
    second = await ann.stream("/api/stream/event")
    assert await first.next() is None, "the former stream of the same token ends"
    game = await house.game(bob, ann)
    assert (await second.until("gameStart"))["game"]["id"] == game
    third = await ann.stream("/api/stream/event")
    assert (await third.until("gameStart"))["game"]["id"] == game, "a new stream begins with what is there"
    quiet = asyncio.ensure_future(third.next())
    await until(lambda: third.blank > 2)
    await bob.post(f"/api/bot/game/{game}/abort")
    async with time_limit():
        assert (await quiet or {})["type"] == "gameFinish"
    third.close()


async def test_tables_of_finished_games_are_closed(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    games = []
    for _ in range(book.TABLES_STAY + 2):
        games.append(await house.game(ann, bob))
        await ann.post(f"/api/board/game/{games[-1]}/resign")

    async def closed() -> list[str]:
        return [game for game in games if (await house.parlour.open(game)).state.room.closed]

    async def all_but_the_last() -> bool:
        return len(await closed()) == 2

    await until_found(all_but_the_last)
    assert await closed() == games[:2], "of the finished tables of a host the last few stay"
    lines = await bob.stream(f"/api/bot/game/stream/{games[0]}")
    full = await lines.next() or {}
    assert (full["white"]["name"], full["state"]["status"], full["state"]["winner"]) == ("Ann", "resign", "black")
    assert await lines.next() is None
    assert '[Result "0-1"]' in await ann.text(f"/game/export/{games[0]}")
    kept = {key for key, _ in await house.parlour.store.documents("lichess-matches")}
    assert kept <= set(games)
    assert not kept & set(games[:1])


async def test_a_game_that_ends_elsewhere_is_told_as_finished(house: House) -> None:
    identity, token = await house.parlour.create_identity("Ann")
    ann, bob = Client(house.session, house.url, token), await house.client("Bob")
    events = await bob.stream("/api/stream/event")
    game = await house.game(ann, bob)
    table = await house.parlour.open(game)
    await table.act(identity, {"type": "resign"}, None)  # in the web app, say
    assert (await events.until("gameFinish"))["game"]["status"]["name"] == "resign"
    events.close()


async def test_old_challenges_are_forgotten(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    await bob.get("/api/account")
    events = await bob.stream("/api/stream/event")
    challenge = await ann.post("/api/challenge/bob", data=CLOCK)
    monkeypatch.setattr(book, "CHALLENGE_LASTS", -1)
    assert (await events.until("challengeCanceled"))["challenge"]["id"] == challenge["id"]
    assert await house.parlour.store.documents("lichess-matches") == []
    events.close()


async def test_only_so_many_challenges_wait(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    await bob.get("/api/account")
    for _ in range(book.WAITING_EACH):
        await ann.post("/api/challenge/bob", data=CLOCK)
    status, answer = await ann.ask("POST", "/api/challenge/bob", data=CLOCK)
    assert (status, set(answer)) == (429, {"error"})


async def test_a_player_who_is_gone_and_back_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE", 0.05)  # a lost reader is noticed when something is written
    ann, bob = await house.client("Ann"), await house.client("Bob")
    game = await house.game(ann, bob)
    lines, other = [await one.stream(f"/api/board/game/stream/{game}") for one in (ann, bob)]
    await other.until("gameFull")
    other.close()
    gone = await lines.until("opponentGone")
    assert (gone["gone"], gone["claimWinInSeconds"]) == (True, 60)
    (await house.parlour.open(game)).presence.shift(-20_000, house.parlour.clock.now())
    second = await ann.stream(f"/api/board/game/stream/{game}")
    later = await second.until("opponentGone")
    assert 30 < later["claimWinInSeconds"] <= 40, "what is left of the table's grace"
    second.close()
    again = await bob.stream(f"/api/board/game/stream/{game}")
    assert await lines.until("opponentGone") == {"type": "opponentGone", "gone": False}
    again.close()
    lines.close()


async def test_a_draw_is_offered_and_accepted_with_a_move(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    game = await house.game(ann, bob)
    await ann.move(game, "e2e4")
    await bob.move(game, "e7e5")
    offering = {"offeringDraw": "true"}
    await ann.post(f"/api/bot/game/{game}/move/g1f3", params=offering)
    await ann.post(f"/api/bot/game/{game}/draw/1")
    lines = await bob.stream(f"/api/bot/game/stream/{game}")
    assert (await lines.until("gameFull"))["state"]["wdraw"] is True
    await bob.post(f"/api/bot/game/{game}/draw/0")
    assert "wdraw" not in await lines.until("gameState")
    await bob.post(f"/api/bot/game/{game}/takeback/no")
    await bob.post(f"/api/bot/game/{game}/move/b8c6", params=offering)
    await ann.post(f"/api/bot/game/{game}/move/f1b5", params=offering)
    while (state := await lines.until("gameState"))["status"] == "started":
        pass
    assert (state["status"], state["moves"].split()[-1]) == ("draw", "b8c6")


async def test_a_threefold_repetition_is_a_draw_for_whoever_offers_one(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    for with_move in (True, False):
        game = await house.game(ann, bob)
        for turn, uci in enumerate(("g1f3", "g8f6", "f3g1", "f6g8") * 2):
            last = with_move and turn == 7
            mover = (ann, bob)[turn % 2]
            await mover.post(f"/api/bot/game/{game}/move/{uci}", params={"offeringDraw": str(last).lower()})
        if not with_move:
            await ann.post(f"/api/board/game/{game}/draw/yes")
        lines = await ann.stream(f"/api/bot/game/stream/{game}")
        assert (await lines.until("gameFull"))["state"]["status"] == "draw"


@pytest.mark.parametrize(
    ("terms", "key", "fen"),
    [
        ({"variant": "kingOfTheHill"}, "kingOfTheHill", "startpos"),
        ({"variant": "racingKings"}, "racingKings", "startpos"),
        ({"variant": "chess960"}, "chess960", None),
        ({"variant": "chess960", "fen": ENDGAME}, "chess960", ENDGAME),
        ({"variant": "atomic", "fen": "startpos"}, "atomic", "startpos"),
        ({"fen": ENDGAME}, "fromPosition", ENDGAME),
        ({"variant": "fromPosition", "fen": "startpos"}, "standard", "startpos"),
    ],
)
async def test_variants_and_positions(house: House, terms: dict[str, str], key: str, fen: str | None) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    game = await house.game(ann, bob, **terms)
    full = await (await ann.stream(f"/api/bot/game/stream/{game}")).until("gameFull")
    assert full["variant"]["key"] == key
    assert full["initialFen"] == fen if fen else full["initialFen"].count("/") == 7
    await ann.post(f"/api/bot/game/{game}/abort")


async def test_a_game_without_clocks_and_one_with_days(house: House) -> None:
    ann, bob = await house.client("Ann"), await house.client("Bob")
    await bob.get("/api/account")
    for terms, expected in (
        ({"color": "white"}, {"type": "unlimited"}),
        ({"color": "white", "days": 2}, {"type": "correspondence", "daysPerTurn": 2}),
    ):
        challenge = await ann.post("/api/challenge/Bob", json={**terms, "clock": {}})
        assert challenge["timeControl"] == expected
        await bob.post(f"/api/challenge/{challenge['id']}/accept")
        full = await (await ann.stream(f"/api/bot/game/stream/{challenge['id']}")).until("gameFull")
        assert full["speed"] == "correspondence"
        assert full["state"]["wtime"] > 86_400_000
        await ann.post(f"/api/bot/game/{challenge['id']}/abort")


async def test_rated_is_what_the_game_will_be(house: House) -> None:
    people = [await house.client(name, bot=False) for name in ("Ann", "Bob")]
    bot = await house.client("Bot")
    for opponent, rated in ((people[1], True), (bot, False)):
        game = await house.game(people[0], opponent, rated="true")
        lines = await opponent.stream(f"/api/board/game/stream/{game}")
        assert (await lines.until("gameFull"))["rated"] is rated
        lines.close()
        await opponent.post(f"/api/board/game/{game}/abort")


async def test_a_seek_waits_for_one_who_wants_the_same(house: House) -> None:
    ann, bob, dan = [await house.client(name, bot=False) for name in ("Ann", "Bob", "Dan")]
    seek = {"rated": "false", "time": "5", "increment": "3", "variant": "standard", "color": "random"}

    async def seeks(client: Client, **changes: str) -> bytes:
        data = {**seek, "ratingRange": "", **changes}
        async with client.session.post(client.url + "/api/board/seek", data=data, headers=client.headers) as answer:
            assert answer.status == 200
            return await answer.read()

    faster = asyncio.create_task(seeks(dan, time="3"))
    choosy = asyncio.create_task(seeks(bob, ratingRange="2000-2500"))
    first = asyncio.create_task(seeks(bob))
    second = asyncio.create_task(seeks(ann))
    assert [answer.strip() for answer in await asyncio.gather(first, second)] == [b"", b""]
    (game,) = (await ann.get("/api/account/playing"))["nowPlaying"]
    assert (game["opponent"]["username"], game["source"]) == ("Bob", "lobby")
    assert not faster.done()
    assert not choosy.done()
    for task in (faster, choosy):
        task.cancel()
    await asyncio.gather(faster, choosy, return_exceptions=True)
    assert (await ann.ask("POST", "/api/board/seek", data={**seek, "ratingRange": "good"}))[0] == 400


async def test_a_revoked_token_ends_its_streams(house: House) -> None:
    identity, token = await house.parlour.create_identity("Ann")
    ann = Client(house.session, house.url, token)
    events = await ann.stream("/api/stream/event")
    await house.parlour.people.revoke_others(identity.id)
    assert await events.next() is None
    assert (await ann.ask("GET", "/api/account"))[0] == 401
