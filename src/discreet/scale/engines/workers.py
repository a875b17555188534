"""What workers elsewhere must have: the same version of discreet, and the same files at the same paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from discreet._version import __version__

Facts = dict[str, Any]


def worker_facts(paths: Sequence[str]) -> Callable[[], Facts]:
    """A function that tells, where it is called, the version of discreet and which of the paths are not there.

    It is made here and not at the top of the module, so that it travels as code: a worker without discreet can answer.
    """

    def facts() -> Facts:
        import contextlib
        import os
        import platform

        version: str | None = None
        with contextlib.suppress(ImportError):
            from discreet._version import __version__ as version
        return {
            "node": platform.node(),
            "version": version,
            "unseen": [path for path in paths if not os.path.exists(path)],
        }

    return facts


def faults_of(facts: Sequence[Facts]) -> list[str]:
    """What is wrong with workers that told these facts, each fault once."""
    faults: dict[str, None] = {}
    for fact in facts:
        node, version = fact["node"], fact["version"]
        if version is None:
            faults[f"the workers on {node} have no discreet: install version {__version__} there"] = None
        elif version != __version__:
            faults[f"the workers on {node} have discreet {version}, here it is {__version__}: install the same"] = None
        for path in fact["unseen"]:
            faults[
                f"the workers on {node} do not see {path}: input and output must be on a file system that all share, "
                "under the same path"
            ] = None
    return list(faults)
