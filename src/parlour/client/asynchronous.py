"""The API as coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import aiohttp
import msgspec

from parlour.client.closing import Closing
from parlour.client.connection import Connection
from parlour.client.errors import ApiError
from parlour.client.patience import Patience
from parlour.client.tournaments import AsyncTournament

if TYPE_CHECKING:
    from aiohttp.client import _WSRequestContextManager


class AsyncClient(Closing):
    """One identity at one server. Without a token it can look around; `register` gives it an identity.

    Where the server answers 429, the client waits as long as it is told and asks again under the same idempotency key,
    for at most `patience` seconds for each call.
    """

    def __init__(self, url: str, token: str | None = None, *, patience: float = 60.0) -> None:
        self.url = _address(url)
        self.token = token
        self.patience = patience
        self._session: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    @property
    def session(self) -> aiohttp.ClientSession:
        if self._session is None:
            # The token travels in the header alone: no cookie is kept.
            self._session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    def _headers(self, key: str | None = None) -> dict[str, str]:
        headers = {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        return headers

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> Any:
        """Call the API and give what the JSON says; raise `ApiError` for a refusal."""
        headers = self._headers(key)
        data = None
        if body is not None:
            data = msgspec.json.encode(body)
            headers["Content-Type"] = "application/json"
        patience = Patience(self.patience)
        while True:
            async with self.session.request(
                method, self.url + path, data=data, headers=headers, params=query
            ) as answer:
                raw = await answer.read()
                if answer.status < 400:
                    return msgspec.json.decode(raw) if answer.content_type == "application/json" else raw.decode()
                refusal = _error(answer, raw)
            pause = patience.pause(refusal)
            if pause is None:
                raise refusal
            await asyncio.sleep(pause)

    async def stream(self, path: str, since: int = 0, *, follow: bool = False) -> AsyncIterator[dict[str, Any]]:
        """The events of a table or a tournament after `since`, and with `follow` those to come."""
        query = {"since": str(since), "follow": str(int(follow))}
        timeout = aiohttp.ClientTimeout(total=None if follow else 60)
        async with self.session.get(self.url + path, params=query, headers=self._headers(), timeout=timeout) as answer:
            if answer.status >= 400:
                raise _error(answer, await answer.read())
            async for line in answer.content:
                if line.strip():
                    yield msgspec.json.decode(line)

    def open_socket(self, path: str, query: Mapping[str, str]) -> _WSRequestContextManager:
        return self.session.ws_connect(
            self.url + path, params=query, headers=self._headers(), heartbeat=20, max_msg_size=0
        )

    # People

    async def register(self, name: str, avatar: str | None = None, *, bot: bool = False) -> dict[str, Any]:
        """Get an identity and speak in its name from now on; with `bot` others see that a program plays."""
        who = {"name": name, "avatar": avatar} | ({"bot": True} if bot else {})  # servers of 0.1.0 know no bots
        return self._become(await self.request("POST", "/api/v1/identities", who))

    async def redeem(self, code: str) -> dict[str, Any]:
        """Take over an identity with the code of a one-time link."""
        return self._become(await self.request("POST", "/api/v1/identities/redeem", {"code": code}))

    def _become(self, identity: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(identity, dict) or "token" not in identity:
            raise ApiError(502, "no_parlour", f"what answers at {self.url} is no Parlour server")
        self.token = identity["token"]
        return identity

    async def me(self) -> dict[str, Any]:
        answer: dict[str, Any] = await self.request("GET", "/api/v1/me")
        return answer

    async def rename(self, **changes: str) -> dict[str, Any]:
        answer: dict[str, Any] = await self.request("PATCH", "/api/v1/me", changes)
        return answer

    async def transfer(self) -> dict[str, Any]:
        """A one-time link for another device."""
        answer: dict[str, Any] = await self.request("POST", "/api/v1/me/transfer")
        return answer

    async def statistics(self) -> dict[str, Any]:
        answer: dict[str, Any] = await self.request("GET", "/api/v1/me/statistics")
        return answer

    # Tables

    async def games(self) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = await self.request("GET", "/api/v1/games")
        return answer

    async def lobby(self) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = await self.request("GET", "/api/v1/tables")
        return answer

    async def my_tables(self) -> list[dict[str, Any]]:
        """The open tables at which you sit or that you host; `your_turn` says where the game waits for you."""
        answer: list[dict[str, Any]] = await self.request("GET", "/api/v1/me/tables")
        return answer

    async def presets(self) -> list[dict[str, Any]]:
        """The tables that you saved to open them again."""
        answer: list[dict[str, Any]] = await self.request("GET", "/api/v1/me/presets")
        return answer

    async def save_preset(self, name: str, game: str, **settings: Any) -> dict[str, Any]:
        """Save settings under a name, in place of those that had it."""
        preset = {"name": name, "game": game, "settings": settings}
        answer: dict[str, Any] = await self.request("POST", "/api/v1/me/presets", preset)
        return answer

    async def delete_preset(self, preset: str) -> list[dict[str, Any]]:
        """Delete the preset of that id; what is left."""
        answer: list[dict[str, Any]] = await self.request("DELETE", f"/api/v1/me/presets/{preset}")
        return answer

    async def create_table(self, game: str, **settings: Any) -> AsyncTable:
        """Open a table and be its host."""
        info = await self.request("POST", "/api/v1/tables", {"game": game, "settings": settings})
        return AsyncTable(self, info["code"])

    def table(self, code: str) -> AsyncTable:
        """The table with that code."""
        return AsyncTable(self, code)

    # Tournaments

    async def tournaments(self) -> list[dict[str, Any]]:
        """Those that are listed: open for entries or running first, ended lately last."""
        answer: list[dict[str, Any]] = await self.request("GET", "/api/v1/tournaments")
        return answer

    async def create_tournament(
        self,
        game: str,
        name: str,
        format: str,  # noqa: A002 - the API's own word
        **settings: Any,
    ) -> AsyncTournament:
        """Announce a tournament and be its host. Enter it yourself if you want to play."""
        asked = {"game": game, "name": name, "format": format, "settings": settings}
        return AsyncTournament(self, (await self.request("POST", "/api/v1/tournaments", asked))["code"])

    def tournament(self, code: str) -> AsyncTournament:
        """The tournament with that code."""
        return AsyncTournament(self, code)


class AsyncTable:
    """A table, seen and used by the client's identity. Commands give the number of their last event."""

    def __init__(self, client: AsyncClient, code: str) -> None:
        self._client = client
        self.code = code

    async def _ask(self, method: str, path: str = "", body: Any = None, key: str | None = None) -> Any:
        return await self._client.request(method, f"/api/v1/tables/{self.code}{path}", body, key=key)

    async def _command(self, method: str, path: str, body: Any = None, key: str | None = None) -> int:
        answer = await self._ask(method, path, body, key)
        return int(answer["seq"])

    async def view(self) -> dict[str, Any]:
        answer: dict[str, Any] = await self._ask("GET")
        return answer

    async def sit(
        self, seat: int | None = None, buy_in: int | None = None, *, key: str | None = None, **options: Any
    ) -> int:
        return await self._command("POST", "/seats", {"seat": seat, "buy_in": buy_in, "options": options}, key)

    async def wait(self, *, key: str | None = None) -> int:
        """Go to the end of the waiting list of a full table."""
        return await self._command("POST", "/waiting", None, key)

    async def withdraw(self, *, key: str | None = None) -> int:
        """Withdraw what one has asked the host for."""
        return await self._command("DELETE", "/requests/me", None, key)

    async def leave(self, *, key: str | None = None) -> int:
        return await self._command("DELETE", "/seats/me", None, key)

    async def start(self, *, key: str | None = None) -> int:
        return await self._command("POST", "/start", None, key)

    async def act(self, action: dict[str, Any], turn: int | None = None, *, key: str | None = None) -> int:
        return await self._command("POST", "/actions", {"action": action, "turn": turn}, key)

    async def chat(self, text: str, *, key: str | None = None) -> int:
        return await self._command("POST", "/chat", {"text": text}, key)

    async def host(self, power: str, *, key: str | None = None, **args: Any) -> int:
        return await self._command("POST", f"/host/{power}", args, key)

    async def history(self) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = await self._ask("GET", "/history")
        return answer

    async def round(self, number: int) -> dict[str, Any]:
        answer: dict[str, Any] = await self._ask("GET", f"/history/{number}")
        return answer

    async def export(self, number: int, suffix: str) -> str:
        """A finished round in a notation such as `phh` or `pgn`."""
        answer: str = await self._ask("GET", f"/history/{number}.{suffix}")
        return answer

    async def ledger(self) -> Any:
        return await self._ask("GET", "/ledger")

    async def events(self, since: int = 0, *, follow: bool = False) -> AsyncIterator[dict[str, Any]]:
        """The events after `since`, and with `follow` those to come."""
        async for event in self._client.stream(f"/api/v1/tables/{self.code}/events", since, follow=follow):
            yield event

    def connect(self, *, since: int | None = None, views: bool = True) -> Connection:
        """A socket to the table. With `since` it begins with the events after that number."""
        return Connection(self._client, self.code, since=since, views=views)


def _address(url: str) -> str:
    """The address of a server; `localhost:8080` is one as well. `ValueError` where it is none."""
    full = url.rstrip("/") if "://" in url else f"http://{url.rstrip('/')}"
    try:
        parts = urlsplit(full)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ValueError(f"{url!r} is no address of a server: it is written as http://HOST:PORT")
    return full


def _error(answer: aiohttp.ClientResponse, raw: bytes) -> ApiError:
    try:
        problem = msgspec.json.decode(raw, type=dict[str, Any])
    except msgspec.DecodeError:
        problem = {"detail": raw[:200].decode(errors="replace")}
    return ApiError.of({"status": answer.status, **problem}, answer.headers)
