"""`python -m parlour` is `parlour`."""

from parlour.cli.main import run

if __name__ == "__main__":
    run()
