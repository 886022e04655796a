"""Loads a changed text in place of one module: here, and in every process that is started from here.

Python imports `sitecustomize` by itself where it finds one. PARLOUR_MUTANT names the module, its file and the file that
holds the changed text.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType


class _Changed(SourceFileLoader):
    def __init__(self, name: str, file: str, text: str) -> None:
        super().__init__(name, file)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = compile(Path(self._text).read_bytes(), self.path, "exec", dont_inherit=True)
        return code


class _Finder:
    def __init__(self, name: str, file: str, text: str) -> None:
        self._name, self._file, self._text = name, file, text

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(name, self._file, loader=_Changed(name, self._file, self._text))


if mutant := os.environ.get("PARLOUR_MUTANT"):
    sys.meta_path.insert(0, _Finder(*mutant.split("\n")))
