"""How to add what this installation lacks. Every hint says it in the words of this module."""

from __future__ import annotations


def command_for(extra: str) -> str:
    """The command that installs an extra of this distribution, from where the distribution itself came from."""
    import json
    import shlex
    import sys
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:  # PEP 610: there is no such file where the distribution came from a package index
        text = distribution("parlour").read_text("direct_url.json")
    except PackageNotFoundError:
        text = None
    if text is None:
        return f"pip install 'parlour[{extra}]'"
    origin = json.loads(text)
    url = origin["url"]
    if url.startswith("file:"):
        place = Path(url2pathname(urlsplit(url).path))
        if Path(sys.prefix) == place / ".venv":  # what `make serve` made has all that serving needs
            return f"make -C {shlex.quote(str(place))} env"
        editable = "--editable " if origin.get("dir_info", {}).get("editable") else ""
        return f"pip install {editable}{shlex.quote(f'{place}[{extra}]')}"
    if "vcs_info" in origin:
        url = f"{origin['vcs_info']['vcs']}+{url}"
    return f"pip install 'parlour[{extra}] @ {url}'"
