"""People who play over the API: they fill a table around a browser."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from typing import Any


class Guest:
    """Somebody with a name and a token."""

    def __init__(self, base: str, name: str) -> None:
        self.base = base
        self.name = name
        self.token = ""
        self.token = self.post("/identities", {"name": name})["token"]

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/api/v1{path}", data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                text = answer.read()
        except urllib.error.HTTPError as refusal:
            raise AssertionError(f"{method} {path}: {refusal.read().decode()}") from None
        return json.loads(text) if text else None

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return self.call("POST", path, body or {})

    def open_table(self, game: str, **settings: Any) -> str:
        return str(self.post("/tables", {"game": game, "settings": settings})["code"])

    def sit(self, code: str, **options: Any) -> None:
        self.post(f"/tables/{code}/seats", options)

    def start(self, code: str) -> None:
        self.post(f"/tables/{code}/start")

    def attend(self, code: str) -> None:
        """Be there: a stream of events is held open until the server closes it."""
        url = f"{self.base}/api/v1/tables/{code}/events?follow=1"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.token}"})

        def listen() -> None:
            with suppress(OSError, HTTPException), urllib.request.urlopen(request, timeout=600) as stream:
                stream.read()

        threading.Thread(target=listen, daemon=True).start()

    def view(self, code: str) -> dict[str, Any]:
        view: dict[str, Any] = self.get(f"/tables/{code}")
        return view

    def act(self, code: str, **action: Any) -> None:
        turn = self.view(code)["turn"]
        self.post(f"/tables/{code}/actions", {"action": action, "turn": turn})


def act_in_turn(guests: list[Guest], code: str, *wishes: str) -> None:
    """Whoever's turn it is does the first of these things that they may."""
    for guest in guests:
        view = guest.view(code)
        if view["legal"] is not None:
            action = {"type": next(wish for wish in wishes if wish in view["legal"]["actions"])}
            guest.post(f"/tables/{code}/actions", {"action": action, "turn": view["turn"]})
            return
    raise AssertionError("it is nobody's turn")
