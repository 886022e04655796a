"""The pieces of a run on a Ray cluster."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from parlour.bots.arena.entrants import Spec

LOCAL = "local"


class Ray:
    """The cluster at an address; `local` starts one on this machine, for this run.

    The files of the bots are sent along, each by itself; what they import must be installed on the cluster.
    """

    def __init__(self, address: str, job: Any) -> None:
        self._ray: Any = import_module("ray")
        self._address = address
        self._job = job
        self._ours = False
        self._work: Any = None
        self.at_once = 2

    def __enter__(self) -> Ray:
        ray = self._ray
        self._ours = not ray.is_initialized()
        if self._ours:
            here: dict[str, Any] = {"include_dashboard": False} if self._address == LOCAL else {}
            ray.init(address=self._address, log_to_driver=False, logging_level=logging.WARNING, **here)
        self._work = ray.put((self._job, _files_of(self._job.specs)))
        self.at_once = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        return self

    def __exit__(self, *_: object) -> None:
        if self._ours:
            self._ray.shutdown()

    def submit(self, play: Callable[..., Any], job: Any, key: bytes, *rest: Any) -> _Remote:
        return _Remote(self._ray, self._ray.remote(_play).remote(self._work, play, key, *rest))


class _Remote:
    """A piece that is being played somewhere."""

    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray = ray
        self._reference = reference

    def result(self) -> Any:
        return self._ray.get(self._reference)


def _files_of(specs: Sequence[Spec]) -> dict[str, bytes]:
    """The files that the bots are, by what they were called."""
    texts = [spec.entry for spec in specs if isinstance(spec.entry, str)]
    paths = [text.rpartition(":")[0] if ".py:" in text else text for text in texts]
    return {path: Path(path).read_bytes() for path in paths if Path(path).is_file()}


def _play(work: tuple[Any, Mapping[str, bytes]], play: Callable[..., Any], key: bytes, *rest: Any) -> Any:
    job, files = work
    return play(_unpacked(job, files, key), key, *rest)


_unpacked_jobs: dict[bytes, Any] = {}


def _unpacked(job: Any, files: Mapping[str, bytes], key: bytes) -> Any:
    """The run with its files on this machine: each in a folder of its own, for as long as the process lives."""
    if key not in _unpacked_jobs:
        _unpacked_jobs.clear()
        _unpacked_jobs[key] = replace(job, specs=[_unpacked_spec(spec, files) for spec in job.specs])
    return _unpacked_jobs[key]


def _unpacked_spec(spec: Spec, files: Mapping[str, bytes]) -> Spec:
    path = next((path for path in files if spec.entry == path or str(spec.entry).startswith(f"{path}:")), None)
    if path is None:
        return spec
    copy = Path(tempfile.mkdtemp(prefix="parlour-arena-")) / Path(path).name
    copy.write_bytes(files[path])
    copy.chmod(0o755)
    return replace(spec, entry=str(copy) + spec.entry.removeprefix(path))
