"""The command line. The file `cli/NAME.py` is the command `parlour NAME`; files that begin with `_` serve them."""
