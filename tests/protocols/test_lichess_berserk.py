"""Whole games through `berserk` as it comes from PyPI, against a real server that is killed in the middle of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import berserk
import pytest
import requests
from tests.patience import PATIENCE

from .lichess_clients import Player, Server, insist

CHALLENGE = {"id", "rated", "variant", "perf", "speed", "timeControl", "challenger", "destUser", "color", "finalColor"}
GAME = {
    "id", "gameId", "fullId", "color", "fen", "hasMoved", "isMyTurn", "lastMove", "opponent", "perf", "rated",
    "secondsLeft", "source", "speed", "status", "variant", "compat",
}  # fmt: skip
FULL = {
    "type", "id", "variant", "clock", "speed", "perf", "rated", "createdAt", "white", "black", "initialFen", "state",
}  # fmt: skip
STATE = {"type", "moves", "wtime", "btime", "winc", "binc", "status"}
OFFERS = {"winner", "wdraw", "bdraw", "wtakeback", "btakeback"}
"""Fields of a state that are there where they are true."""
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")

Join = Callable[..., Player]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("lichess"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def join(server: Server) -> Iterator[Join]:
    players: list[Player] = []

    def join(name: str, bot: bool = True) -> Player:
        players.append(Player(server.lichess, server.new_token(name, bot)))
        return players[-1]

    yield join
    for player in players:
        player.stop()
    server.kill()  # which ends their streams
    for player in players:
        player.close()


def begin(white: Player, black: Player, **terms: Any) -> str:
    """A game that one has challenged the other to: both are told."""
    wanted = {"rated": False, "clock_limit": 600, "clock_increment": 2, "color": "white", **terms}
    challenge = white.api.challenges.create(black.name, **wanted)
    told = black.events.until(type="challenge")["challenge"]
    assert told["id"] == challenge["id"]
    black.api.challenges.accept(challenge["id"])
    for player in (white, black):
        assert player.events.until(type="gameStart")["game"]["id"] == challenge["id"]
    return str(challenge["id"])


def check_state(state: dict[str, Any]) -> None:
    assert state.keys() >= STATE
    assert state.keys() - STATE <= OFFERS


def test_games_and_challenges_survive_a_kill_in_mid_game(server: Server, join: Join) -> None:
    ann, bob = join("Max"), join("Nia")
    game = begin(ann, bob)
    waiting = bob.api.challenges.create(ann.name, rated=False, clock_limit=60, clock_increment=0)["id"]
    ann_sees, bob_sees = ann.game(game), bob.game(game)
    moves = list(FOOLS_MATE)
    ann.api.bots.make_move(game, moves[0])
    bob.api.bots.make_move(game, moves[1])
    ann_sees.until(type="gameState", moves=" ".join(moves[:2]))
    server.kill()
    server.start()
    insist(lambda: ann.api.bots.make_move(game, moves[2]))
    ann.api.bots.make_move(game, moves[2])  # sent again, as where the answer was lost: it is made once
    told = ann.events.until(type="gameStart")["game"]
    while told["id"] != game or told["lastMove"] == "":
        told = ann.events.until(type="gameStart")["game"]
    assert told["opponent"]["username"] == bob.name
    assert any(line["type"] == "challenge" and line["challenge"]["id"] == waiting for line in ann.events.seen)
    insist(lambda: bob.api.bots.make_move(game, moves[3]))
    for stream in (ann_sees, bob_sees):
        while (line := stream.next()) is not None:
            state = line.get("state", line)
        assert (state["moves"].split(), state["status"], state["winner"]) == (moves, "mate", "black")
    for player in (ann, bob):
        assert player.events.until(type="gameFinish")["game"]["id"] == game
    ann.api.challenges.accept(waiting)
    assert bob.events.until(type="gameStart")["game"]["id"] == waiting


def test_every_answer_has_the_fields_that_clients_read(server: Server, join: Join) -> None:
    ann, bob = join("Ann"), join("Bob", bot=False)
    account = ann.api.account.get()
    assert account.keys() >= {"id", "username", "title", "perfs"}
    assert (account["title"], bob.api.account.get()["title"]) == ("BOT", None)
    tested = ann.api.oauth.test_tokens(ann.token, "nobody's")
    assert tested["nobody's"] is None
    assert tested[ann.token]["userId"] == ann.id
    assert "bot:play" in tested[ann.token]["scopes"].split(",")
    challenge = ann.api.challenges.create(bob.name, rated=False, clock_limit=300, clock_increment=3, color="black")
    event = bob.events.until(type="challenge")
    assert event.keys() >= {"type", "challenge", "compat"}
    for told in (challenge, event["challenge"]):
        assert told.keys() >= CHALLENGE | {"status", "url"}
        assert told["timeControl"].items() >= {"type": "clock", "limit": 300, "increment": 3}.items()
        assert (told["challenger"]["name"], told["challenger"]["title"]) == (ann.name, "BOT")
        assert told["challenger"].keys() >= {"name", "title", "rating"}
        assert told["destUser"]["name"] == bob.name
        assert (told["variant"]["key"], told["perf"]["name"], told["speed"]) == ("standard", "Blitz", "blitz")
        assert (told["color"], told["finalColor"]) == ("black", "black")
    assert [one["id"] for one in bob.api.challenges.get_mine()["in"]] == [challenge["id"]]
    bob.api.challenges.accept(challenge["id"])
    started = bob.events.until(type="gameStart")["game"]
    assert started.keys() >= GAME
    assert (started["color"], started["isMyTurn"], started["opponent"]["username"]) == ("white", True, ann.name)
    full = ann.game(challenge["id"]).next()
    assert full is not None
    assert full.keys() >= FULL
    check_state(full["state"])
    assert (full["clock"], full["initialFen"]) == ({"initial": 300_000, "increment": 3000}, "startpos")
    for side in ("white", "black"):
        assert full[side].keys() >= {"id", "name", "title", "rating"}
    assert (full["white"]["name"], full["black"]["name"]) == (bob.name, ann.name)
    (playing,) = ann.api.games.get_ongoing()
    assert playing.keys() >= {"gameId", "speed", "opponent", "isMyTurn", "secondsLeft"}
    assert (playing["gameId"], playing["isMyTurn"]) == (challenge["id"], False)
    bob.api.board.abort_game(challenge["id"])
    assert ann.events.until(type="gameFinish")["game"]["status"]["name"] == "aborted"
    statuses = ann.api.users.get_realtime_statuses(ann.id, "house-easy", "nobody-at-all")
    assert [(one["id"], one["online"]) for one in statuses] == [(ann.id, True), ("house-easy", True)]
    online = {one["id"] for one in ann.api.bots.get_online_bots()}
    assert online >= {ann.id, "house-easy", "house-medium", "house-hard"}
    assert bob.id not in online
    assert ann.api.users.get_public_data(bob.name)["username"] == bob.name


def test_a_whole_game_by_a_bot_and_a_board(server: Server, join: Join) -> None:
    ann, bob = join("Cat"), join("Dan", bot=False)
    game = begin(ann, bob)
    streams = ann.game(game), bob.game(game, board=True)
    for stream in streams:
        assert (stream.next() or {})["type"] == "gameFull"
    lobby = requests.get(f"{server.url}/api/v1/tables", timeout=PATIENCE).json()
    assert game in [table["code"] for table in lobby], "it is a table of the house, which everybody may watch"
    watched = requests.get(f"{server.url}/api/v1/tables/{game}", timeout=PATIENCE).json()
    assert [seat["player"]["name"] for seat in watched["seats"]] == ["Cat", "Dan"]
    for number, move in enumerate(FOOLS_MATE):
        (bob.api.board if number % 2 else ann.api.bots).make_move(game, move)
        for stream in streams:
            state = stream.until(type="gameState")
            check_state(state)
            assert state["moves"].split() == list(FOOLS_MATE[: number + 1])
    for stream in streams:
        assert (stream.seen[-1]["status"], stream.seen[-1]["winner"]) == ("mate", "black")
        assert stream.next() is None, "the server closes the stream after the final state"
    for player in (ann, bob):
        finished = player.events.until(type="gameFinish")["game"]
        assert (finished["id"], finished["status"]["name"], finished["winner"]) == (game, "mate", "black")
    assert ann.api.games.get_ongoing() == []
    ann.api.bots.post_message(game, "good game")
    bob.api.board.post_message(game, "thank you", spectator=True)
    assert [line["text"] for line in bob.api.board.get_game_chat(game)] == ["good game", "thank you"]
    pgn = ann.api.games.export(game, as_pgn=True)
    assert "1. f3" in pgn
    assert "2... Qh4#" in pgn
    assert ann.api.games.export(game)["moves"] == "f3 e5 g4 Qh4#"
    again = ann.game(game)
    assert (again.next() or {})["state"]["status"] == "mate"
    assert again.next() is None


def test_draws_and_takebacks_are_offered_declined_and_accepted(join: Join) -> None:
    ann, bob = join("Eve"), join("Fay")
    game = begin(ann, bob)
    ann_sees, bob_sees = ann.game(game), bob.game(game, board=True)
    ann.api.bots.make_move(game, "e2e4")
    bob.api.board.make_move(game, "e7e5")
    ann.api.board.offer_takeback(game)
    assert bob_sees.until(type="gameState", wtakeback=True)["moves"] == "e2e4 e7e5"
    bob.api.board.decline_takeback(game)
    ann.api.board.offer_takeback(game)
    bob_sees.until(type="gameState", wtakeback=True)
    bob.api.board.accept_takeback(game)
    assert ann_sees.until(type="gameState", moves="")["status"] == "started"
    for player, move in ((ann, "d2d4"), (bob, "d7d5")):
        player.api.bots.make_move(game, move)
    bob.api.board.offer_draw(game)
    ann_sees.until(type="gameState", bdraw=True)
    ann.api.board.decline_draw(game)
    assert "bdraw" not in ann_sees.until(type="gameState")
    ann.api.bots.make_move(game, "c2c4")
    bob.api.board.offer_draw(game)
    ann_sees.until(type="gameState", bdraw=True)
    ann.api.board.accept_draw(game)
    for stream in (ann_sees, bob_sees):
        end = stream.until(type="gameState", status="draw")
        assert "winner" not in end
        assert stream.next() is None


def test_challenges_are_declined_and_withdrawn(join: Join) -> None:
    ann, bob = join("Gus"), join("Hal")
    challenge = ann.api.challenges.create(bob.name, rated=False, clock_limit=60, clock_increment=0)
    bob.events.until(type="challenge")
    bob.api.challenges.decline(challenge["id"], reason="tooFast")
    declined = ann.events.until(type="challengeDeclined")["challenge"]
    assert (declined["id"], declined["declineReasonKey"], declined["status"]) == (
        challenge["id"],
        "tooFast",
        "declined",
    )
    assert declined["declineReason"]
    challenge = ann.api.challenges.create(bob.name, rated=False, days=3)
    assert bob.events.until(type="challenge")["challenge"]["timeControl"] == {
        "type": "correspondence",
        "daysPerTurn": 3,
    }
    ann.api.challenges.cancel(challenge["id"])
    assert bob.events.until(type="challengeCanceled")["challenge"]["id"] == challenge["id"]
    with pytest.raises(berserk.exceptions.ResponseError) as refusal:
        bob.api.challenges.accept(challenge["id"])
    assert refusal.value.status_code == 404
    game = begin(ann, bob)
    ann.api.challenges.cancel(game)
    assert bob.events.until(type="gameFinish")["game"]["status"]["name"] == "aborted"


def test_two_who_seek_the_same_are_paired(join: Join) -> None:
    ann, bob, dan = join("Ida", bot=False), join("Jon", bot=False), join("Kim", bot=False)
    seeks = []
    for player, side in ((ann, "white"), (dan, "white"), (bob, "black")):
        client = player.client()
        seeks.append(player.follow(lambda client=client, side=side: iter([{"s": client.board.seek(5, 3, color=side)}])))
        if player is not bob:
            assert not player.api.games.get_ongoing()
    game = bob.events.until(type="gameStart")["game"]
    assert game["color"] == "black"
    assert game["opponent"]["username"] in (ann.name, dan.name)
    assert seeks[2].next() is not None, "the seek ends with the game"
    bob.api.board.resign_game(game["id"])


def test_the_house_plays_a_bot_that_challenges_it(join: Join) -> None:
    ann = join("Lea")
    game = ann.api.challenges.create("house-easy", rated=False, clock_limit=600, clock_increment=0, color="black")["id"]
    assert ann.events.until(type="gameStart")["game"]["opponent"]["username"] == "house-easy"
    stream = ann.game(game)
    full = stream.next() or {}
    assert (full["white"]["name"], full["white"]["title"], full["black"]["name"]) == ("house-easy", "BOT", ann.name)
    while not (full["state"]["moves"] or stream.until(type="gameState")["moves"]):
        pass
    ann.api.bots.resign_game(game)
    assert stream.until(type="gameState", status="resign")["winner"] == "white"


def test_the_house_plays_at_the_levels_of_lichess(join: Join) -> None:
    ann = join("Mia")
    game = ann.api.challenges.create_ai(level=8, clock_limit=600, clock_increment=2, color="white")
    assert game.items() >= {
        "variant": {"key": "standard", "name": "Standard", "short": "Std"}, "speed": "rapid", "perf": "rapid",
        "rated": False, "player": "white", "color": "white", "turns": 0, "startedAtTurn": 0, "source": "ai",
        "status": {"id": 20, "name": "started"},
    }.items()  # fmt: skip
    assert game["fen"].startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
    assert game["createdAt"] > 0
    assert ann.events.until(type="gameStart")["game"]["id"] == game["id"]
    stream = ann.game(game["id"])
    ann.api.bots.make_move(game["id"], "e2e4")
    while len(stream.until(type="gameState")["moves"].split()) < 2:
        pass
    ann.api.bots.resign_game(game["id"])
    with pytest.raises(berserk.exceptions.ResponseError) as refusal:
        ann.api.challenges.create_open()
    assert refusal.value.status_code == 404
    assert [user["id"] for user in ann.api.users.get_by_id(ann.name, "house-easy")] == [ann.id, "house-easy"]


def test_what_comes_in_at_the_port_of_the_dialect_is_logged_and_counted(tmp_path: Path) -> None:
    server = Server(tmp_path, "--limit", "all=off", "--access-log")
    server.start()
    try:
        requests.get(f"{server.lichess}/api/account", timeout=PATIENCE)
        requests.get(f"{server.lichess}/api/user/nobody", timeout=PATIENCE)
        metrics = requests.get(f"{server.url}/metrics", timeout=PATIENCE).text
    finally:
        server.stop()
    lines = [line for line in server.log().splitlines() if "/api/user/{user}" in line or "/api/account" in line]
    assert ["401" in lines[0], "404" in lines[1]] == [True, True]
    assert 'route="/api/user/{user}",status="404"} 1.0' in metrics
