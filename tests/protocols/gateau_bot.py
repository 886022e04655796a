"""A Gateau client in a process of its own: the standard library, and nothing known but the dialect.

    python gateau_bot.py SERVER NAME POLICY [--game GAME_ID] [--port PORT]

It registers, answers each of its turns by its policy, and prints every push as a line of JSON. As the published client
does, it knows nothing but what it was told since it was started: what it cannot make sense of it answers with 500.
`silent` accepts connections and never answers them; `late` thinks for seconds about its first move and then calls like
`call`; `slow` calls after some thought until it is told to `hurry`; `idle` answers every push and never moves;
`stranger` does not register.

A line `join` on the standard input lets it register for the next game.
"""

import argparse
import contextlib
import json
import random
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

parser = argparse.ArgumentParser()
parser.add_argument("server")
parser.add_argument("name")
parser.add_argument("policy")
parser.add_argument("--game")
parser.add_argument("--port", type=int, default=0)
choices = parser.parse_args()

GAME = {"game_id": choices.game} if choices.game else {}
dice = random.Random(choices.name)
me = {}
names = {}
thinking = iter([2.5])
hurry = threading.Event()
telling = threading.Lock()


def tell(info):
    """A line for the test; several threads may have one at once."""
    with telling:
        print(json.dumps(info), flush=True)


def post(path, body):
    data = json.dumps({**body, **GAME}).encode()
    request = urllib.request.Request(choices.server + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def move():
    if choices.policy == "late":
        time.sleep(next(thinking, 0))
    if choices.policy == "slow":
        hurry.wait(0.3)
    if choices.policy == "idle":
        return
    if choices.policy in ("call", "late", "slow"):
        action, value = "Call", 0
    elif choices.policy == "allin":
        action, value = "AllIn", 0
    else:
        action, value = dice.choice(["Check", "call", "BET", "Bet", "fold", "call"]), dice.choice([0, 2, 5, 20, 500])
    with contextlib.suppress(OSError):  # where the server is down, it will ask again
        post("/game", {"secret_id": me["secret_id"], "action": action, "value": value})


def listen_to(info):
    """What each push means to a client that keeps names by id."""
    if info["info"] == "PlayerPrivateInfo":
        me.update(info)
    elif info["info"] == "GameTableInfo":
        names.update(dict(info["display_names"]))
        [names[player] for player in info["seat_order"]]
    elif info["info"] in ("MoveInfo", "PlayerEliminatedInfo", "GameOverInfo"):
        names[info.get("player_id", info.get("eliminated_player", info.get("winning_player")))]
    elif info["info"] == "StreetInfo":
        names[info["button_player"]]
    elif info["info"] == "ToMoveInfo" and info["player_id"] == me["ingame_id"]:
        threading.Thread(target=move, daemon=True).start()


class Player(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        info = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if choices.policy == "silent":
            time.sleep(3600)
        tell(info)
        try:
            listen_to(info)
        except KeyError:
            self.send_response(500)
        else:
            self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True


server = Server(("127.0.0.1", choices.port), Player)
threading.Thread(target=server.serve_forever, daemon=True).start()
tell({"info": "listening", "port": server.server_port})


def join():
    answer = {"status": "no"}
    if choices.policy != "stranger":
        answer = post("/reg", {"name": choices.name, "address": f"http://127.0.0.1:{server.server_port}"})
    tell({"info": "registered", **answer})


join()
for line in sys.stdin:
    if line == "join\n":
        hurry.clear()
        join()
    elif line == "hurry\n":
        hurry.set()
