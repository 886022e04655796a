"""Names that look alike are told apart where people meet, so that nobody is taken for somebody else.

What looks alike is said by Unicode's table of confusable characters (UTS 39). Two names do where each character is the
same or confusable with the other's, in any case of letters: `Ann`, `ann` and `Αnn` with a Greek capital are one. So is
`Ann` with a joiner in it, which shows nothing between letters.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import count

from parlour.tables.room.words import JOINERS, NAME_LENGTH

NAMES_KNOWN = 32_768
"""More than three tournaments have entries."""


class NamesTaken:
    """Names that others have. One more is compared with what all of them look like, however many they are."""

    def __init__(self, names: Iterable[str]) -> None:
        self._looks = Counter[str]()
        """How many of the names look so."""
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        self._looks.update(set(_looks(name)))

    def remove(self, name: str) -> None:
        self._looks.subtract(set(_looks(name)))

    def told_apart(self, name: str, own: str | None = None) -> str:
        """The name, with a number behind it where it looks like one of the others; `own` is the one it replaces."""
        found, own_looks = name, () if own is None else _looks(own)
        for number in count(2):
            if all(self._looks[look] == (look in own_looks) for look in _looks(found)):
                return found
            numbered = f" ({number})"
            found = name[: NAME_LENGTH - len(numbered)].rstrip() + numbered
        raise AssertionError("no end of numbers")


@lru_cache(NAMES_KNOWN)
def _looks(name: str) -> tuple[str, str, str]:
    """What a name looks like as it is written, in small letters, and where a capital is taken for another sign."""
    written = _skeleton(name)
    return written, _skeleton(name.casefold()), _skeleton(written.casefold())


def _skeleton(text: str) -> str:
    if text.isascii():
        return text.translate(_likeness())
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).translate(_likeness()))


@cache
def _likeness() -> dict[int, str]:
    """Each confusable character and the one that stands for all that look like it."""
    from confusable_homoglyphs.confusables import confusables_data

    alike: defaultdict[str, set[str]] = defaultdict(set)
    for one, confusable in confusables_data.items():
        for other in confusable:
            pair = one.strip("\u200e"), other["c"].strip("\u200e")  # the table has marks of direction around some
            alike[pair[0]].add(pair[1])
            alike[pair[1]].add(pair[0])
    found: dict[str, str] = {}
    for character in sorted(alike, key=lambda one: (-len(alike[one]), one)):  # the table is a star around each of these
        if character not in found:
            for other in alike[character]:
                if len(other) == 1:
                    found.setdefault(other, character)
            found[character] = character
    alike_to: dict[int, str] = {ord(one): stands for one, stands in found.items() if one != stands and len(one) == 1}
    return alike_to | dict.fromkeys(map(ord, JOINERS), "")


def prepare() -> None:
    """Read the table. It takes longer than the event loop can spare."""
    _likeness()
