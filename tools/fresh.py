"""Run both commands of the README on fresh machines: bare Debian systems, as root and as an ordinary user.

    sudo make fresh                                       2 systems × 2 users × 2 commands
    sudo make fresh FRESH="--system trixie --command serve"
    sudo make fresh FRESH="--command test --pytest '-n 2 tests/games'"

Each system is made by debootstrap with the packages that the README names. Each user gets a machine of their own: the
system below, an empty layer above it, a clone of the checkout's HEAD in an empty home, and namespaces for mounts,
processes and the network. There is no IPv6, the locale is POSIX, and one clone has a space in its path. All mounts are
made inside, so they end with the machine however it ends, and what is deleted afterwards never contains one. Of the
host, only the way to the package registries is passed on.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "build/fresh"
SYSTEMS = ("bookworm", "trixie")
CLONES = {"root": Path("root/parlour"), "ann": Path("home/ann/my parlour")}
USERS = tuple(CLONES)
COMMANDS = ("serve", "test")
README = (ROOT / "README.md").read_text(encoding="utf-8")
PACKAGES = ("ca-certificates", *README.partition("`apt-get install ")[2].partition("`")[0].split())
NEEDED_BYTES = 8 << 30

# How a program finds its registry, its proxy and the certificates to trust.
PASSED_ON = (
    *("http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"),
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_PROXY", "PIP_DEFAULT_TIMEOUT"),
    *("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL", "npm_config_registry"),
)
CERTIFICATES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "NODE_EXTRA_CA_CERTS")

# Whatever happens to this program, what it started ends with it, as does all that runs in their namespaces.
BOUND = ("setpriv", "--pdeathsig", "KILL", "--")
ISOLATED = (*BOUND, "unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc")

# $1 is the system, $2 the machine; the rest is run inside once a line comes in, which says that the network is there.
# The shell stays: the first process of a machine has to reap those whose parents have ended.
ENTER = """
set -e
cd "$2"
mount -t overlay overlay -o "lowerdir=$1,upperdir=upper,workdir=work" root
mount -t proc proc root/proc
mount -t sysfs -o ro sysfs root/sys
mount -t tmpfs -o mode=1777 tmpfs root/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts root/dev/pts
echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
ip link set lo up
hostname fresh
shift 2
read network
chroot "$@" </dev/null || exit
true
"""

# `make serve` as in a terminal: until the page is there, then Ctrl-C.
SERVE = """
import os, signal, subprocess, sys, time, urllib.request
begin = time.monotonic()
server = subprocess.Popen(["make", "serve"], start_new_session=True)
while server.poll() is None:
    try:
        urllib.request.urlopen("http://127.0.0.1:8080/readyz", timeout=5).close()
        page = urllib.request.urlopen("http://127.0.0.1:8080/", timeout=5).read()
    except OSError:
        time.sleep(0.5)
        continue
    print(f"make serve: answered after {time.monotonic() - begin:.0f} s")
    os.killpg(server.pid, signal.SIGINT)
    server.wait()
    sys.exit(None if b"<title>Parlour</title>" in page else "make serve: what answered is not the web app")
sys.exit(server.returncode or 1)
"""


@dataclass(frozen=True)
class Run:
    """One command on one machine."""

    system: str
    user: str
    command: str
    result: str
    seconds: float
    cpu_seconds: float


def missing() -> str | None:
    """What this machine lacks, in one line."""
    if os.geteuid() != 0:
        return "make fresh needs root, for chroot and mounts: sudo make fresh"
    absent = [
        name for name in ("debootstrap", "slirp4netns", "setpriv", "unshare", "git") if shutil.which(name) is None
    ]
    if absent:
        return f"make fresh needs {', '.join(absent)}: apt-get install debootstrap slirp4netns util-linux iproute2 git"
    return None


def mirror() -> list[str]:
    """Where this machine's Debian packages come from, if it is a Debian; debootstrap knows a place of its own."""
    command = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(LABEL) $(REPO_URI)"]
    if shutil.which("apt-get") is None:
        return []
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return [line.split()[2] for line in listed if line.startswith("Debian Debian ")][:1]


def settings_of(tool: str, key: str) -> str:
    """What a package manager's configuration says, or nothing."""
    if shutil.which(tool) is None:
        return ""
    found = subprocess.run([tool, "config", "get", key], capture_output=True, text=True, check=False, cwd="/")
    return found.stdout.strip() if found.returncode == 0 and found.stdout.startswith("http") else ""


def network_environment() -> dict[str, str]:
    """The variables that lead to the registries, from this machine's environment and configuration."""
    passed = {name: os.environ[name] for name in PASSED_ON if os.environ.get(name)}
    index = passed.get("PIP_INDEX_URL") or settings_of("pip", "global.index-url")
    if index:
        passed.update(PIP_INDEX_URL=index, UV_DEFAULT_INDEX=index)
    if registry := settings_of("npm", "registry"):
        passed.setdefault("npm_config_registry", registry)
    return passed | {name: os.environ[name] for name in CERTIFICATES if Path(os.environ.get(name, "/")).is_file()}


def make_system(name: str, folder: Path) -> Path:
    """A bare Debian with the packages that the README names."""
    system = folder / name
    done = folder / f"{name}.done"
    include = f"--include={','.join(PACKAGES)}"
    if not done.exists() or done.read_text(encoding="utf-8") != include:
        print(f"fresh: making {name}", flush=True)
        done.unlink(missing_ok=True)
        shutil.rmtree(system, ignore_errors=True)
        with (LOGS / f"{name}.log").open("wb") as log:
            command = [*ISOLATED, "debootstrap", "--variant=minbase", include, name, str(system), *mirror()]
            subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=True)
        user = shlex.split("useradd --create-home --skel /nonexistent --shell /bin/bash ann")
        subprocess.run(["chroot", str(system), *user], stderr=subprocess.DEVNULL, check=True)
        done.write_text(include, encoding="utf-8")
    return system


def make_machine(system: Path, user: str, folder: Path) -> Path:
    """An empty layer above a system, with the clone and the way to the registries."""
    machine = folder / f"{system.name}-{user}"
    for part in ("upper/etc", "work", "root"):
        (machine / part).mkdir(parents=True)
    upper = machine / "upper"
    (upper / "etc/resolv.conf").write_text("nameserver 10.0.2.3\n")  # of slirp4netns, which asks the host's
    (upper / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 fresh\n")  # as Debian's installer writes it
    for variable in CERTIFICATES:
        bundle = Path(os.environ.get(variable, "/"))
        if bundle.is_file():
            copy = upper / bundle.relative_to("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(bundle, copy)
    clone = upper / CLONES[user]
    home = clone.parent
    home.mkdir(parents=True)
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(clone)], check=True)
    accounts = [line.split(":") for line in (system / "etc/passwd").read_text().splitlines()]
    number = next(int(fields[2]) for fields in accounts if fields[0] == user)
    subprocess.run(["chown", "-R", f"{number}:{number}", str(home)], check=True)
    return machine


@contextmanager
def network(pid: int) -> Iterator[None]:
    """A way out of a process's network namespace, while it lasts: to other machines, not to this one."""
    own = os.readlink("/proc/self/ns/net")
    while os.readlink(f"/proc/{pid}/ns/net") == own:
        time.sleep(0.01)
    ready, signals_ready = os.pipe()
    command = [
        *BOUND,
        "slirp4netns",
        "--configure",
        "--mtu=65520",
        "--disable-host-loopback",
        f"--ready-fd={signals_ready}",
    ]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [*command, str(pid), "tap0"], pass_fds=[signals_ready], stdout=quiet, stderr=quiet, start_new_session=True
    ) as gateway:
        os.close(signals_ready)
        try:
            if not os.read(ready, 1):
                raise RuntimeError(f"slirp4netns gave the machine no network: exit code {gateway.wait()}")
            yield
        finally:
            os.close(ready)
            gateway.terminate()


def run(system: Path, machine: Path, user: str, command: str, pytest: str | None) -> Run:
    """One of the README's commands, in the clone."""
    clone = "/" / CLONES[user]
    path = "/usr/local/bin:/usr/bin:/bin" + (":/usr/local/sbin:/usr/sbin:/sbin" if user == "root" else "")
    variables = {
        "HOME": str(clone.parent),
        "USER": user,
        "LOGNAME": user,
        "PATH": path,
        "TERM": "dumb",
        **network_environment(),
    }
    inside = ["python3", "-c", SERVE] if command == "serve" else ["make", "test"]
    if command == "test" and pytest is not None:
        inside.append(f"PYTEST=.venv/bin/pytest -q {pytest}")
    script = f"cd {shlex.quote(str(clone))} && exec {shlex.join(inside)}"
    entry = ["sh", "-c", ENTER, "enter", str(system), str(machine), f"--userspec={user}", "root"]
    entry += ["env", "-i", *(f"{name}={value}" for name, value in variables.items()), "sh", "-c", script]
    begin = time.monotonic()
    with (LOGS / f"{machine.name}-{command}.log").open("wb") as log:
        isolated = [*ISOLATED, "--net", "--ipc", "--uts", *entry]
        child = subprocess.Popen(isolated, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True)
        try:
            with network(child.pid):
                assert child.stdin is not None
                child.stdin.write(b"\n")
                child.stdin.close()
                _, status, used = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            child.wait()
            raise
    child.returncode = os.waitstatus_to_exitcode(status)
    result = "ok" if child.returncode == 0 else f"failed ({child.returncode})"
    return Run(system.name, user, command, result, time.monotonic() - begin, used.ru_utime + used.ru_stime)


def delete(folder: Path) -> None:
    """Remove what was made; not while anything is mounted in it, so that no other file system is touched."""
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    if held := [mount for mount in mounts if mount.startswith(f"{folder}/")]:
        raise SystemExit(f"fresh: not deleted, as something is mounted there: umount {' '.join(held)}; rm -r {folder}")
    shutil.rmtree(folder)


def table(runs: list[Run]) -> str:
    """A line for each run."""
    lines = [f"{'system':10}{'user':6}{'command':12}{'result':14}{'seconds':>8}{'CPU seconds':>13}"]
    for it in runs:
        command = f"make {it.command}"
        lines.append(f"{it.system:10}{it.user:6}{command:12}{it.result:14}{it.seconds:8.0f}{it.cpu_seconds:13.0f}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", choices=SYSTEMS, action="append", help="only this one; may be given again")
    parser.add_argument("--user", choices=USERS, action="append", help="only this one; may be given again")
    parser.add_argument("--command", choices=COMMANDS, action="append", help="only this one; may be given again")
    parser.add_argument(
        "--pytest", metavar="ARGUMENTS", help="let `make test` run pytest with these, as '-n 2 tests/games'"
    )
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="keep the bare systems there, and use them again")
    options = parser.parse_args()
    if (lack := missing()) is not None:
        sys.exit(lack)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    LOGS.mkdir(parents=True, exist_ok=True)
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="parlour-fresh-", dir=options.keep or "/var/tmp")).resolve()
    runs: list[Run] = []
    try:
        if (free := shutil.disk_usage(folder).free) < NEEDED_BYTES:
            sys.exit(f"make fresh needs {NEEDED_BYTES >> 30} GB in {folder.parent}, where {free >> 30} GB are free")
        for release in options.system or SYSTEMS:
            system = make_system(release, (options.keep or folder).resolve())
            for user in options.user or USERS:
                machine = make_machine(system, user, folder)
                for command in options.command or COMMANDS:
                    print(f"fresh: {release}, {user}: make {command}", flush=True)
                    runs.append(run(system, machine, user, command, options.pytest))
                    if runs[-1].result != "ok":
                        log = (LOGS / f"{machine.name}-{command}.log").read_text(errors="replace").splitlines()
                        print("\n".join(log[-30:]), flush=True)
                delete(machine)
    except KeyboardInterrupt:
        print("fresh: stopped", file=sys.stderr)
        return 130
    finally:
        delete(folder)
        if runs:
            print(table(runs))
    return 0 if all(it.result == "ok" for it in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
