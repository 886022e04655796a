"""The files in deploy/: they are consistent, and what they start really runs."""

from __future__ import annotations

import base64
import configparser
import ipaddress
import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from harness.processes import PATIENCE, ServerProcess
from harness.redis import RedisServer

import parlour
from parlour.cli.main import USAGE
from parlour.version import COMMIT

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
NODES = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "parlour"}
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")


def test_the_image_is_told_its_commit() -> None:
    """The history is no part of what an image is built from, so every way to build one names the commit."""
    assert 'PARLOUR_COMMIT="$COMMIT" make' in DOCKERFILE
    assert 'org.opencontainers.image.revision="$COMMIT"' in DOCKERFILE
    assert all(node["build"]["args"] == {"COMMIT": "${COMMIT:-}"} for node in NODES.values())
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    built = re.findall(r"^    .*(?:docker build|compose up --build).*$", told, re.MULTILINE)
    assert built
    assert all('COMMIT="$(git rev-parse HEAD)"' in line for line in built)


def test_what_comes_from_elsewhere_is_pinned_by_digest() -> None:
    images = [service["image"] for service in COMPOSE["services"].values() if service["image"] != "parlour"]
    images += re.findall(r"^ARG BASE=(.*)$", DOCKERFILE, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {"${BASE}"}
    assert len(images) == 4
    assert [image for image in images if not re.fullmatch(r"[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}", image)] == []


def _instruction(name: str) -> str:
    """What stands last in the Dockerfile under this word."""
    return re.findall(rf"^{name} (.*)$", DOCKERFILE, re.MULTILINE)[-1].strip()


def _program(words: list[str]) -> list[str]:
    """A command that calls `parlour`, by this environment's own."""
    assert Path(words[0]).name == "parlour"
    return [sys.executable, "-m", "parlour", *words[1:]]


def _environment(**more: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    return {**clean, "PARLOUR_HOST": "127.0.0.1", "PARLOUR_PORT": "0", **more}


class Server(ServerProcess):
    """A server that is started by a command of deploy/."""

    def post(self, path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> bytes:
        told = {"Content-Type": "application/json", **(headers or {})}
        request = urllib.request.Request(f"{self.url}{path}", json.dumps(body).encode(), told)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            content: bytes = answer.read()
            return content

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        request = urllib.request.Request(f"{self.url}{path}", headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as fault:
            return fault.code, fault.read()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start servers; they end with the test."""
    servers: list[Server] = []

    def start(command: list[str], **environment: str) -> Server:
        folder = tmp_path / f"server-{len(servers)}"
        (folder / "data").mkdir(parents=True)
        environment.setdefault("PARLOUR_DATA", str(folder / "data"))
        servers.append(Server(command, environment=_environment(**environment), cwd=folder))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


def _is_healthy(server: Server) -> bool:
    """What the HEALTHCHECK of the image says about a server."""
    check = json.loads(_instruction("HEALTHCHECK").partition("CMD ")[2])
    assert check[0] == "python3"
    environment = {**os.environ, "PARLOUR_PORT": str(server.port)}
    done = subprocess.run([sys.executable, *check[1:]], env=environment, capture_output=True, check=False)
    return done.returncode == 0


def test_the_image_serves_and_its_health_check_sees_it(start: Callable[..., Server]) -> None:
    command = _program([*json.loads(_instruction("ENTRYPOINT")), *json.loads(_instruction("CMD"))])
    server = start(command, PARLOUR_PROT="8081", PARLOUR_LIMIT="all=off")
    assert _is_healthy(server)
    lines = [json.loads(line) for line in server.said().splitlines() if line.startswith("{")]
    strange = [(line["variable"], line["nearest"], line["level"]) for line in lines if "variable" in line]
    assert strange == [("PARLOUR_LIMIT", None, "warning"), ("PARLOUR_PROT", "PARLOUR_PORT", "warning")]
    (opened,) = [line for line in lines if line["event"] == "open"]
    assert (opened["version"], opened["commit"]) == (parlour.__version__, COMMIT)
    assert b"<title>Parlour" in server.get("/")[1]
    assert server.stop() == 0
    assert not _is_healthy(server)


def test_the_image_is_not_run_by_root() -> None:
    assert int(_instruction("USER")) > 0
    assert _instruction("VOLUME") == "/data"


def test_the_image_is_built_from_files_that_are_not_ignored() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE)
    assert {name for name in copied if name != "."} <= allowed
    assert all((ROOT / name).exists() for name in allowed)
    needed = {"CMakeLists.txt", "LICENSE", "README.md", "native", "pyproject.toml", "src/parlour", "web"}
    assert needed <= allowed


def test_compose_asks_for_every_secret_and_the_example_names_them() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    variables = set(re.findall(r"\$\{(\w+)", text)) - {"COMMIT"}  # no setting: whoever builds gives it with the command
    assert variables == set(re.findall(r"\$\{(\w+):\?\}", text)), "an unset variable would be an empty secret"
    assert variables == set(re.findall(r"^(\w+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE))


def test_compose_has_two_nodes_without_privileges_behind_caddy() -> None:
    assert len(NODES) == 2
    (pool,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    for node in NODES.values():
        assert node["read_only"]
        assert node["cap_drop"] == ["ALL"]
        assert "ports" not in node, "reachable past Caddy"
        words = node["command"]
        assert words[words.index("--trusted-proxy") + 1] == pool["subnet"]
        assert set(node["depends_on"]) < set(COMPOSE["services"])
    assert ipaddress.ip_network(pool["subnet"]).is_private
    caddy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert re.search(r"reverse_proxy (.*) \{", caddy)[1].split() == [f"{name}:8080" for name in NODES]  # type: ignore[index]
    assert re.search(r"@metrics path /metrics.*\n\trespond @metrics 404", caddy), "anybody may read the metrics"
    (nginx,) = re.findall(
        r"In nginx:\n\n(.*?)\n\n\S", (ROOT / "docs/operations.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert "location = /metrics { return 404; }" in nginx, "anybody may read the metrics"
    scraped = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text(encoding="utf-8"))["scrape_configs"][0]
    (targets,) = scraped["static_configs"]
    assert targets["targets"] == [f"{name}:8080" for name in NODES], "each node tells of itself"
    assert all(set(node["environment"]["PARLOUR_HOST_NAME"].split()) == set(NODES) for node in NODES.values())
    published = [name for name, service in COMPOSE["services"].items() if "ports" in service]
    assert published == ["caddy"]


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The Redis of compose, by its own options."""
    with RedisServer(options=tuple(COMPOSE["services"]["redis"]["command"][1:])) as server:
        yield server.url


def test_the_nodes_of_compose_serve_one_house(start: Callable[..., Server], postgres_url: str, redis_url: str) -> None:
    """Their commands and their environment, with addresses of this machine: a table of one is seen at the other."""
    values = {
        "DOMAIN": "play.example",
        "POSTGRES_PASSWORD": "unused",
        "PARLOUR_KEY": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "PARLOUR_OPERATOR_SECRET": secrets.token_urlsafe(),
    }

    def filled(text: str) -> str:
        return re.sub(r"\$\{(\w+):\?\}", lambda found: values[found[1]], text)

    servers = []
    for node in NODES.values():
        environment = {name: filled(value) for name, value in node["environment"].items()}
        assert environment["PARLOUR_DATABASE"].startswith("postgresql://parlour:unused@postgres/")
        assert environment["PARLOUR_BUS"].startswith("redis://redis:")
        environment |= {"PARLOUR_DATABASE": postgres_url, "PARLOUR_BUS": redis_url}
        servers.append(start(_program(["parlour", *map(filled, node["command"])]), **environment))
    first, second = servers
    assert _is_healthy(first)
    assert _is_healthy(second)
    identity = json.loads(first.post("/api/v1/identities", {"name": "Ann"}))
    header = {"Authorization": f"Bearer {identity['token']}"}
    table = json.loads(first.post("/api/v1/tables", {"game": "holdem"}, header))
    for server in servers:
        first.post(f"/api/v1/tables/{table['code']}/chat", {"text": "hello"}, header)
        status, view = server.get(f"/api/v1/tables/{table['code']}", header)
        assert (status, json.loads(view)["code"]) == (200, table["code"])
        data = Path(psutil.Process(server.pid).environ()["PARLOUR_DATA"])
        assert not list(data.glob("*.db")), "it keeps SQLite files beside PostgreSQL"
        assert not list(data.glob("*.key")), "it made a key of its own"
    assert [server.stop() for server in servers] == [0, 0]


def _unit() -> configparser.ConfigParser:
    unit = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment]
    unit.read(DEPLOY / "parlour.service", encoding="utf-8")
    return unit


def test_the_service_starts_with_the_settings_of_the_documentation_and_stops(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    words = shlex.split(_unit()["Service"]["ExecStart"])
    assert words[words.index("--data") + 1] == "/var/lib/parlour"
    command = [str(tmp_path) if word == "/var/lib/parlour" else word for word in _program(words)]
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"echo '(PARLOUR_.*?)' > /etc/parlour.env", page, re.DOTALL)
    settings = dict(line.strip().split("=", 1) for line in lines.splitlines())
    secret = secrets.token_urlsafe()
    server = start([*command, "--no-announce"], **settings, PARLOUR_OPERATOR_SECRET=secret)
    assert (tmp_path / "parlour.db").exists()
    told = json.loads(server.get("/api/v1/operator/server", {"X-Parlour-Operator": secret})[1])
    in_force = {one["name"]: one["value"] for one in told["settings"] if one["source"] == "environment"}
    assert in_force["--trusted-proxy"] == settings["PARLOUR_TRUSTED_PROXY"] == "127.0.0.1"
    assert in_force["--public-url"] == settings["PARLOUR_PUBLIC_URL"]
    assert server.stop() == 0


def test_the_service_may_write_to_its_data_and_nowhere_else() -> None:
    service = _unit()["Service"]
    assert (service["DynamicUser"], service["StateDirectory"], service["ProtectSystem"]) == ("yes", "parlour", "strict")
    assert service["NoNewPrivileges"] == "yes"
    assert service["CapabilityBoundingSet"] == ""
    assert "ReadWritePaths" not in service


def test_the_service_is_started_again_however_often_it_takes() -> None:
    unit = _unit()
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit["Service"]["Restart"] == "on-failure"
    assert int(unit["Service"]["RestartPreventExitStatus"]) == USAGE, "a mistake in the settings stays one"


def test_chess_levels_and_drivers_are_in_the_image_and_in_the_documented_service() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"apt-get install .*\bnodejs\b", last), "the chess levels run in Node"
    locked = (ROOT / "requirements/serve.txt").read_text(encoding="utf-8")
    assert {"asyncpg", "redis"} <= set(re.findall(r"^([\w-]+)==", locked, re.MULTILINE))
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    service = page[page.index("**A service of systemd.**") :]
    assert "nodejs" in re.findall(r"^    apt install (.*)$", service, re.MULTILINE)[0].split()
    assert "[server,postgres,redis]" in service


def test_the_service_lets_node_compile() -> None:
    """The chess levels run in Node. Where memory may not be written and executed it ends with SIGTRAP, and hosts are
    offered levels that cannot play."""
    assert "MemoryDenyWriteExecute" not in _unit()["Service"]


def test_systemd_understands_the_service(tmp_path: Path) -> None:
    """Every line is `Name=value`; where systemd is at hand, it checks the names and values itself."""
    text = (DEPLOY / "parlour.service").read_text(encoding="utf-8")
    for line in text.splitlines():
        assert re.fullmatch(r"#.*|\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*|", line), line
    if shutil.which("systemd-analyze"):
        unit = tmp_path / "parlour.service"
        unit.write_text(text.replace("/opt/parlour/bin/parlour", sys.executable), encoding="utf-8")
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
        assert "parlour.service" not in done.stderr, done.stderr
