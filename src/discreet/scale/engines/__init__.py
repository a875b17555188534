"""Engines: who runs a list of tasks. Threads here, workers of a Dask cluster, executors of Spark.

A task is a function at the top level of a module with small arguments: it reads files, writes files and returns a
small dictionary that JSON can hold. Data never travels with it, so workers have to see the same files. A task that is
run twice leaves what it leaves when run once: an engine may repeat one whose worker died. Results depend on the tasks
alone, not on the engine, the number of workers or the order in which they finish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from discreet.errors import InputError

__all__ = ["Engine", "Task", "open_engine"]


@dataclass(frozen=True)
class Task:
    """One piece of work: `function(*arguments)`."""

    name: str
    """Unique in a run, such as `solve-00017`; what dashboards show."""
    function: Callable[..., dict[str, Any]]
    """At the top level of a module, so that a worker can import it."""
    arguments: tuple[Any, ...]
    """Small, and such that they can be pickled: paths, numbers, parts of the plan."""


class Engine(Protocol):
    """Runs tasks. What a task raises is raised here; the tasks that have not begun are then dropped."""

    def run(self, tasks: Sequence[Task], done: Callable[[int], None]) -> list[dict[str, Any]]:
        """What the tasks return, in their order; `done(i)` is called once for each, in the order in which they end."""
        ...


def open_engine(cluster: str | None, memory: int, *, shared: Sequence[Path] = ()) -> AbstractContextManager[Engine]:
    """The engine that `cluster` names, for the length of a `with` block.

    None: threads. `dask://host:port`: a Dask scheduler that runs; `local`: Dask workers on this machine, one a core.
    `spark://host:port`: a Spark master; `local[2]`: Spark on this machine. `memory` is what each worker may hold, in
    bytes; `shared` are paths that all workers have to see.
    """
    if cluster is None:
        from discreet.scale.engines.threads import open_threads

        return open_threads()
    if cluster == "local" or re.fullmatch(r"dask://[^/\s]+:\d+", cluster):
        from discreet.scale.engines.dask import open_dask

        return open_dask(cluster, memory, shared)
    if re.fullmatch(r"spark://\S+|local\[(\d+|\*)\]", cluster):
        from discreet.scale.engines.spark import open_spark

        return open_spark(cluster, shared)
    raise InputError(
        f"cluster {cluster!r} is none of the forms that are known: local (Dask workers on this machine), "
        "dask://host:port, local[2] (Spark on this machine), spark://host:port"
    )
