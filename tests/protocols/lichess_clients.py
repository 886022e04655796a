"""A server as a process of its own, and players who speak to it through `berserk`, as it comes from PyPI."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import berserk
import requests
from harness.processes import UNLIMITED, ServerProcess, free_port, serve
from tests.patience import PATIENCE

BROKEN = (berserk.exceptions.ApiError, requests.RequestException)
"""What berserk raises where the connection is lost, at once or in the middle of a stream."""
LATER = 500
AGAIN_AFTER = 0.1
"""Seconds before a stream that was lost is opened again."""


class Server(ServerProcess):
    """A server with the Lichess dialect at the root of a port of its own."""

    def __init__(self, data: Path, *options: str) -> None:
        port = free_port()
        self.lichess = f"http://127.0.0.1:{port}"
        command = serve(data, "--lichess-port", str(port), "--bot-pause", "0", *(options or UNLIMITED))
        super().__init__(command, log=data / "server.log")

    def new_token(self, name: str, bot: bool = True) -> str:
        body = {"name": name, "bot": bot}
        answer = requests.post(f"{self.url}/api/v1/identities", json=body, timeout=PATIENCE)
        assert answer.ok, answer.text
        return str(answer.json()["token"])


class Feed:
    """A stream, read by a thread; after a loss of the connection it is opened again, unless the server ended it."""

    def __init__(self, open_stream: Callable[[], Iterator[dict[str, Any]]], lasting: bool) -> None:
        self._open = open_stream
        self._lasting = lasting
        self._stopped = threading.Event()
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.seen: list[dict[str, Any]] = []
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while not self._stopped.is_set():
            try:
                for line in self._open():
                    self._lines.put(line)
                if not self._lasting:
                    break
            except berserk.exceptions.ResponseError as refusal:
                if refusal.status_code < LATER:
                    self._lines.put({"type": "refused", "status": refusal.status_code})
                    return
            except BROKEN:
                pass
            self._stopped.wait(AGAIN_AFTER)
        self._lines.put(None)

    def stop(self) -> None:
        """Open it no more; the present connection ends with the server."""
        self._stopped.set()

    def next(self) -> dict[str, Any] | None:
        """The next line; None where the server has ended the stream."""
        line = self._lines.get(timeout=PATIENCE)
        if line is not None:
            self.seen.append(line)
        return line

    def until(self, **fields: Any) -> dict[str, Any]:
        """The next line that has these fields."""
        while True:
            line = self.next()
            assert line is not None, self.seen
            if fields.items() <= line.items():
                return line


class Player:
    """Somebody with a token, and an event stream that is open throughout."""

    def __init__(self, url: str, token: str) -> None:
        self.token = token
        self._url = url
        self._sessions: list[requests.Session] = []
        self.api = self.client()
        account = self.api.account.get()
        self.name, self.id = account["username"], account["id"]
        self._feeds: list[Feed] = []
        self.events = self.follow(self.client().bots.stream_incoming_events, lasting=True)

    def client(self) -> berserk.Client:
        """A client with a session of its own: each stream has one."""
        self._sessions.append(berserk.TokenSession(self.token))
        return berserk.Client(self._sessions[-1], base_url=self._url)

    def follow(self, stream: Callable[[], Iterator[dict[str, Any]]], lasting: bool = False) -> Feed:
        self._feeds.append(Feed(stream, lasting))
        return self._feeds[-1]

    def game(self, game: str, board: bool = False) -> Feed:
        client = self.client()
        api = client.board if board else client.bots
        return self.follow(lambda: api.stream_game_state(game))

    def stop(self) -> None:
        for feed in self._feeds:
            feed.stop()

    def close(self) -> None:
        """After the server's end, which ends the streams."""
        self.stop()
        for feed in self._feeds:
            feed.thread.join(PATIENCE)
        for session in self._sessions:
            session.close()


def insist(command: Callable[[], Any]) -> Any:
    """Ask again while the server is away, as lichess-bot does."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return command()
        except berserk.exceptions.ResponseError as refusal:
            if refusal.status_code < LATER or time.monotonic() > until:
                raise
        except BROKEN:
            if time.monotonic() > until:
                raise
        time.sleep(0.02)
