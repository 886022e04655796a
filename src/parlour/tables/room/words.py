"""What people write: names, avatars, chat, and the codes that they say aloud."""

from __future__ import annotations

import unicodedata

from parlour.tables.errors import BadRequest
from parlour.tables.ports import Entropy

NAME_LENGTH = 32
AVATAR_LENGTH = 16
CHAT_LENGTH = 500
REASON_LENGTH = 120

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""No I, L or O, which look like digits or one another. A letter is 4.5 bits."""
LISTED_LETTERS = 6
PRIVATE_LETTERS = 9
"""40.7 bits: too many to try."""

_INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # fillers of Hangul
        (0x17B4, 0x17B5),  # inherent vowels of Khmer
        (0x180B, 0x180F),  # variation selectors of Mongolian
        (0x2800, 0x2800),  # Braille without a dot
        (0x3164, 0x3164),  # filler of Hangul
        (0xFE00, 0xFE0E),  # variation selectors
        (0xFFA0, 0xFFA0),  # filler of Hangul, half as wide
        (0x16FE4, 0x16FE4),  # filler of Khitan
        (0x1D159, 0x1D159),  # a note without a head
        (0xE0100, 0xE01EF),  # more variation selectors
    )
    for code in range(first, last + 1)
)
"""Letters, marks and symbols that show nothing: Unicode's default-ignorable ones, and the blank symbols. Those of the
categories C and Z are known by their category."""
JOINERS = "\u200d\ufe0f"
"""Zero-width joiner and emoji selector: invisible, but part of many an emoji."""
_MARKS_IN_A_ROW = 3
"""More combining marks than any script stacks up are there to smear over the page."""


def clean(text: str, limit: int) -> str:
    """One line without control, direction-changing, private or unassigned characters, at most `limit` long."""
    if len(text) > 4 * limit:
        text = text[: 4 * limit]
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] == "Z" or character in "\t\n\r":
            kept.append(" ")
        elif character in JOINERS or (category[0] != "C" and character not in _INVISIBLE and marks <= _MARKS_IN_A_ROW):
            kept.append(character)
    return " ".join("".join(kept).split())[:limit].strip().strip(JOINERS)


def _is_visible(line: str) -> bool:
    """Whether a cleaned line shows anything: marks need a letter to stand on."""
    return any(unicodedata.category(character)[0] not in "MZ" and character not in JOINERS for character in line)


def read_name(text: object) -> str:
    if not isinstance(text, str):
        raise BadRequest("bad_name", "a name is text")
    name = clean(text, NAME_LENGTH)
    if not _is_visible(name):
        raise BadRequest("bad_name", "a name has at least one visible character")
    return name


def read_avatar(text: object) -> str | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise BadRequest("bad_avatar", "an avatar is text, such as an emoji")
    return clean(text, AVATAR_LENGTH) or None


def read_chat(text: object) -> str:
    if not isinstance(text, str):
        raise BadRequest("bad_chat", "a message is text")
    if len(text) > CHAT_LENGTH:
        raise BadRequest("too_long", f"a message has at most {CHAT_LENGTH} characters")
    line = clean(text, CHAT_LENGTH)
    if not _is_visible(line):
        raise BadRequest("bad_chat", "a message has at least one visible character")
    return line


def read_reason(text: object) -> str:
    """What the host says to whom a power is used on; it may be empty."""
    if text is None:
        return ""
    if not isinstance(text, str):
        raise BadRequest("bad_reason", "'reason' is text")
    if len(text) > REASON_LENGTH:
        raise BadRequest("too_long", f"a reason has at most {REASON_LENGTH} characters")
    line = clean(text, REASON_LENGTH)
    return line if _is_visible(line) else ""


def new_code(entropy: Entropy, private: bool) -> str:
    """A room code, every one equally likely."""
    letters: list[str] = []
    while len(letters) < (PRIVATE_LETTERS if private else LISTED_LETTERS):
        letters += [LETTERS[byte % len(LETTERS)] for byte in entropy.token(16) if byte < 256 - 256 % len(LETTERS)]
    return "".join(letters[: PRIVATE_LETTERS if private else LISTED_LETTERS])


def read_code(text: str) -> str:
    """A room code as somebody typed it."""
    return "".join(character for character in text.upper() if character.isalnum())
