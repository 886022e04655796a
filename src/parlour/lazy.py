"""Names of a package that are imported when they are first asked for."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def names_of(
    package: str, names: dict[str, object], homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, whose `homes` say in which module each name lives.

    `names` are its globals, which keep what was found.
    """
    home_of = {name: home for home, some in homes.items() for name in some}
    public = sorted(home_of)

    def find(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        names[name] = value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        return value

    def tell() -> list[str]:
        return sorted({*names, *public})

    return find, tell, public
