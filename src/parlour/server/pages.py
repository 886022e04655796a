"""Files for browsers: the web app where it was built, else a plain page; the API page; headers that keep both safe."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import mimetypes
import re
from pathlib import Path

from aiohttp import web

from parlour.aside import aside
from parlour.server.api import openapi
from parlour.server.api.problems import Fault
from parlour.server.api.routing import Routes
from parlour.server.site import Site

HERE = Path(__file__).parent
APP_FILES = HERE / "static"
PLAIN_FILES = HERE / "plain"

SAFE_HEADERS = {
    # Scripts and styles come from this server's files only: nothing that somebody typed can run. WebAssembly is the
    # chess engine of the analysis board; the camera reads a table's QR code.
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # a path can hold the code of a private table
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
}

STRICT_TRANSPORT = "max-age=31536000"
"""A year. Hosts below this one are not bound: whoever runs this server need not run those."""

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("font/woff2", ".woff2")


def _allow_inline(page: str) -> str:
    """The content security policy of a page whose own styles and scripts may run, by their hashes, and no others."""
    policy = SAFE_HEADERS["Content-Security-Policy"]
    for tag in ("script", "style"):
        for inline in re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL):
            digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
            policy = policy.replace(f"{tag}-src 'self'", f"{tag}-src 'self' 'sha256-{digest}'")
    return policy


class Files:
    """The files that may be served, by path: listed once, so that no request can name any other."""

    def __init__(self, app_files: Path = APP_FILES) -> None:
        built = (app_files / "index.html").is_file()
        root = app_files if built else PLAIN_FILES
        self.index = root / "index.html"
        self._known = {f"/{path.relative_to(root).as_posix()}": path for path in root.rglob("*") if path.is_file()}
        for path in PLAIN_FILES.glob("plain.*"):  # the API page uses them too
            self._known.setdefault(f"/{path.name}", path)
        self.policy = _allow_inline(self.index.read_text())

    def find(self, path: str) -> Path | None:
        return self._known.get(path)

    def page(self, path: str) -> Path:
        """The app itself; for some of its pages, such as /t/ABCDEF, in a file that names the parts they need."""
        return self._known.get(f"/{path.split('/')[1]}.html", self.index)


def _media_type(path: Path) -> str:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def mount(app: web.Application, site: Site, files: Files, resources: list[Routes]) -> None:
    """Add the document, its page and the files. They are public and change nothing, so they stand outside the API."""
    described: asyncio.Task[tuple[bytes, str]] | None = None

    def describe() -> tuple[bytes, str]:
        spec = openapi.document(resources, [listing.game for listing in site.parlour.games.values()])
        return openapi.encode(spec), openapi.page(spec)

    async def description() -> tuple[bytes, str]:
        """The document and its page: made when somebody asks, as few do, and beside the event loop."""
        nonlocal described
        if described is None:
            described = asyncio.create_task(aside(describe))
        return await asyncio.shield(described)

    async def show_document(request: web.Request) -> web.Response:
        return web.Response(body=(await description())[0], content_type="application/json")

    async def show_page(request: web.Request) -> web.Response:
        return web.Response(text=(await description())[1], content_type="text/html")

    async def show_file(request: web.Request) -> web.StreamResponse:
        """A file of the web app; for a path without one the app itself, which knows its own pages."""
        path = files.find(request.path)
        if path is None and "." in request.path.rpartition("/")[2]:
            raise Fault(404, "There is no such file.")
        path = path or files.page(request.path)
        # File names with a hash in them never change what they hold.
        lasting = "/assets/" in request.path
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if lasting else "no-cache",
            "Content-Type": _media_type(path),
        }
        if path.suffix == ".html":
            headers["Content-Security-Policy"] = files.policy
        return web.FileResponse(path, headers=headers)

    app.router.add_get("/openapi.json", show_document)
    app.router.add_get("/docs", show_page)
    app.router.add_get("/{path:(?!api/).*}", show_file)
