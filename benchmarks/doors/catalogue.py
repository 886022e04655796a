"""All attacks, by name."""

from __future__ import annotations

import itertools

from benchmarks.doors.attacks import (
    PING,
    TEXT,
    Attack,
    bursts,
    chatter,
    comings_and_goings,
    connections,
    equities,
    frame,
    games,
    guesses,
    handshakes,
    imports,
    left_tournaments,
    long_hosts,
    many_addresses,
    no_http,
    owned,
    packed_bodies,
    pictures,
    pings_of,
    post,
    renames,
    request,
    requests_as_somebody,
    requests_at,
    requests_of,
    unread_streams,
)
from benchmarks.doors.dogker import dogker_bets, dogker_flood_of, dogker_guesses, dogker_sockets, dogker_unread

ATTACKS = {
    "dogker-sockets": Attack("Socket.IO", "2,500 Socket.IO sockets of one user", dogker_sockets),
    "dogker-guesses": Attack("Socket.IO", "codes guessed over Socket.IO", dogker_flood_of(dogker_guesses)),
    "dogker-flood": Attack("Socket.IO", "bets over Socket.IO", dogker_flood_of(dogker_bets)),
    "dogker-unread": Attack("Socket.IO", "Socket.IO sockets that never read", dogker_unread),
    "pings": Attack("pings", "pings as JSON on 16 sockets", pings_of(frame(TEXT, b'{"type":"ping"}'))),
    "control-pings": Attack("pings", "control frames on 16 sockets", pings_of(frame(PING, b""))),
    "addresses": Attack("requests", "one IPv6 /64, and two forwarded lines", requests_of(many_addresses)),
    "suggestions": Attack(
        "requests", "suggestions in Dogker's box",
        requests_of(lambda: itertools.repeat(post("/dogker/suggestions", {"title": "x", "suggestion": "x" * 200}))),
    ),
    "games": Attack("requests", "games of Gateau", requests_of(games)),
    "guesses": Attack("requests", "codes guessed at Dogker's rooms", requests_of(lambda: guesses("/dogker/games/"))),
    "chatter": Attack("writes", "chat at a table of one's own", chatter),
    "renames": Attack("writes", "another name again and again", requests_as_somebody(renames)),
    "tickets": Attack("writes", "tickets for sockets", requests_as_somebody(owned("/api/v1/me/ticket"))),
    "house-players": Attack("writes", "a house player added and sent away", comings_and_goings),
    "left-tournaments": Attack("processor", "tournaments of house players, their host gone", left_tournaments),
    "packed": Attack("processor", "compressed bodies", requests_at(packed_bodies)),
    "hosts": Attack("processor", "pictures for long hosts", requests_at(long_hosts)),
    "pictures": Attack("processor", "pictures, each of another link", requests_at(pictures)),
    "requests": Attack(
        "requests", "who one is, again and again",
        requests_of(lambda: itertools.repeat(request("GET", "/api/v1/session"))),
    ),
    "bursts": Attack("requests", "512 connections that ask at one moment", bursts),
    "connections": Attack("requests", "a connection for each request", connections),
    "transfers": Attack("writes", "links to other devices", requests_as_somebody(owned("/api/v1/me/transfer"))),
    "imports": Attack("processor", "files of hands to read", requests_of(imports)),
    "equities": Attack("processor", "long calculations", requests_of(equities)),
    "unread": Attack("readers", "followed streams that never read", unread_streams),
    "origins": Attack(
        "bad input", "malformed origins",
        requests_of(lambda: itertools.repeat(post("/api/v1/identities", {"name": "Eve"}, Origin="http://[::1"))),
    ),
    "deep": Attack(
        "bad input", "JSON that goes deep",
        requests_of(lambda: itertools.repeat(request("POST", "/chessmate/new-game", b"[" * 16_000))),
    ),
    "no-http": Attack("bad input", "connections without HTTP", no_http),
    "handshakes": Attack("bad input", "handshakes that break", handshakes),
}  # fmt: skip
