"""What a native class takes, as `inspect.signature` and editors tell it."""

from __future__ import annotations

import inspect
import re
from typing import Any


def signature_of(kind: Any) -> inspect.Signature:
    """The signature of a class of nanobind, from the text and the defaults that it keeps of its constructor. Its types
    are those of the stub `_core.pyi`."""
    text, _, defaults = kind.__init__.__nb_signature__[0]
    made: dict[str, Any] = {}
    exec(re.sub(r"\\(\d+)", r"defaults[\1]", text) + ": ...", {"defaults": defaults}, made)  # noqa: S102 our own text
    _, *parameters = inspect.signature(made["__init__"]).parameters.values()
    return inspect.Signature([parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters])
