"""`python -m fuzz.run TARGET [libFuzzer options]`: fuzz one target in this process, as libFuzzer does."""

from __future__ import annotations

import sys

import atheris

# Coverage of the Python code guides the search; exports are lazy, so each is touched while imports are instrumented.
with atheris.instrument_imports(include=["parlour", "fuzz"]):
    import parlour
    from fuzz.targets import TARGETS

    for export in parlour.__all__:
        getattr(parlour, export)


def main() -> None:
    program, name, *options = sys.argv
    atheris.Setup([program, *options], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
