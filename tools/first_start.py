"""Run what `make serve` has to build, and say meanwhile what is going on: in the terminal, and on a page at the port.

    python tools/first_start.py --host 0.0.0.0 --port 8080 -- make -j4 built

Needs the standard library alone, since nothing else is installed yet. Each line that the command prints is a step. The
page asks again every second and opens Parlour once the server answers. The exit code is that of the command.
"""

from __future__ import annotations

import argparse
import errno
import html
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parlour is being built</title>
<style>
  body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem;
         color: #222; background: #fbfaf7 }
  @media (prefers-color-scheme: dark) { body { color: #eee; background: #1c1f1d } }
</style>
<h1>Parlour is being built</h1>
<p>That happens once, and takes a minute or two. This page opens Parlour when it is ready.</p>
<ol id="steps" aria-live="polite">STEPS</ol>
<script>
  setInterval(async () => {
    try {
      const answer = await fetch("/readyz", { cache: "no-store" });
      if (answer.ok) location.reload();
      const page = new DOMParser().parseFromString(await (await fetch("/", { cache: "no-store" })).text(), "text/html");
      const steps = page.getElementById("steps");
      if (steps && steps.innerHTML !== document.getElementById("steps").innerHTML)
        document.getElementById("steps").innerHTML = steps.innerHTML;
    } catch {} // nobody listens for the moment between this page and the server
  }, 1000);
</script>
"""


class Steps:
    """What was said so far."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        """Show a step on the page from now on, and in the terminal."""
        self.lines.append(line)
        print(f"{time.monotonic() - self._start:4.0f} s  {line}", flush=True)

    def page(self) -> bytes:
        """The page with every step."""
        listed = "".join(f"<li>{html.escape(line)}</li>" for line in self.lines)
        return PAGE.replace("STEPS", listed).encode()


def serve_page(host: str, port: int, steps: Steps) -> ThreadingHTTPServer | None:
    """Answer every request with the page; None where the port cannot be had, which the server itself will explain.

    A port that is taken ends the start: better now than after a minute of building."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = steps.page()
            self.send_response(503)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Retry-After", "5")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *what: object) -> None:
            pass

    try:
        server = ThreadingHTTPServer((host, port), Handler)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            sys.exit(f"port {port} is taken by another program: choose another one, as in 'make serve PORT={port + 1}'")
        return None
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="0.0.0.0")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a locale may lack what a compiler quotes with
    steps = Steps()
    server = serve_page(options.host, options.port, steps)
    if server is not None:
        steps.add(f"Parlour is being built; http://localhost:{server.server_port} shows how far it is")
    child = subprocess.Popen(options.command, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    try:
        assert child.stdout is not None
        for line in child.stdout:
            steps.add(line.rstrip())
        return child.wait()
    except KeyboardInterrupt:
        child.wait()
        return 130
    finally:
        if server is not None:
            server.shutdown()
            server.server_close()


if __name__ == "__main__":
    sys.exit(main())
