"""Ranges: the hole cards that a player may have, with weights, and the notation of players for them."""

from collections.abc import Iterator, Mapping

from parlour import _core


class Range(Mapping[str, float]):
    """A weight for each possible pair of hole cards, best cards first; holdings outside the range are absent.

    The notation is a list with commas. An item is a pair (`QQ`), a kind of hand (`AKs` suited, `AKo` offsuit, `AK`
    both), one holding (`AhKh`) or everything (`random` or `*`). `+` adds the better pairs or kickers (`QQ+`, `A2s+`),
    a dash spans pairs (`TT-77`), kickers (`A5s-A2s`) or hands with the same gap (`65s-54s`), `:` gives a weight
    (`A5s:0.5`). Where items overlap the later one decides.

    >>> str(Range("AA, KK, QQ, A5s:0.5"))
    'QQ+, A5s:0.5'
    >>> len(Range("QQ+, AKs")), Range("A5s:0.5")["Ah5h"]
    (22, 0.5)
    """

    __slots__ = ("_text", "_weights")

    _text: str
    _weights: dict[str, float]

    def __init__(self, hands: "str | Mapping[str, float]") -> None:
        if isinstance(hands, str):
            text = hands
        elif isinstance(hands, Mapping):
            text = ",".join(f"{hand}:{float(weight)!r}" for hand, weight in hands.items())
        else:
            raise TypeError(f"a range is a string or a mapping of hands to weights, not {type(hands).__name__}")
        self._weights = dict(_core.range_weights(text))
        self._text = _core.format_range(text)

    def __getitem__(self, holding: str) -> float:
        weight = self._weights.get(holding)
        if weight is None and isinstance(holding, str):  # the other order of the same two cards
            weight = self._weights.get(holding[2:] + holding[:2])
        if weight is None:
            raise KeyError(holding)
        return weight

    def __iter__(self) -> Iterator[str]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Range({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._weights == other._weights if isinstance(other, Range) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[type["Range"], tuple[str]]:
        return Range, (self._text or "AA:0",)  # what nothing is in has no text of its own

    @property
    def fraction(self) -> float:
        """The weight of the range as a share of all 1,326 holdings."""
        return sum(self._weights.values()) / 1326
