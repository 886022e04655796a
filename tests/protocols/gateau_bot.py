"""A Gateau client in a process of its own: the standard library, and nothing known but the dialect.

    python gateau_bot.py SERVER NAME POLICY [GAME_ID]

It registers, answers each of its turns by its policy, and prints every push as a line of JSON. `silent` accepts
connections and never answers them; `late` thinks for seconds about its first move and then calls like `call`.
"""

import json
import random
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SERVER, NAME, POLICY = sys.argv[1:4]
GAME = {"game_id": sys.argv[4]} if len(sys.argv) > 4 else {}
dice = random.Random(NAME)
me = {}
thinking = iter([2.5])


def post(path, body):
    data = json.dumps({**body, **GAME}).encode()
    request = urllib.request.Request(SERVER + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def move():
    if POLICY == "late":
        time.sleep(next(thinking, 0))
    if POLICY in ("call", "late"):
        action, value = "Call", 0
    elif POLICY == "allin":
        action, value = "AllIn", 0
    else:
        action, value = dice.choice(["Check", "call", "BET", "Bet", "fold", "call"]), dice.choice([0, 2, 5, 20, 500])
    post("/game", {"secret_id": me["secret_id"], "action": action, "value": value})


class Player(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        info = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if POLICY == "silent":
            time.sleep(3600)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
        print(json.dumps(info), flush=True)
        if info["info"] == "PlayerPrivateInfo":
            me.update(info)
        elif info["info"] == "ToMoveInfo" and info["player_id"] == me["ingame_id"]:
            threading.Thread(target=move, daemon=True).start()

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Player)
threading.Thread(target=server.serve_forever, daemon=True).start()
answer = post("/reg", {"name": NAME, "address": f"http://127.0.0.1:{server.server_port}"})
print(json.dumps({"info": "registered", **answer}), flush=True)
sys.stdin.read()
