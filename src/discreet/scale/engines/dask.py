"""Workers of a Dask cluster: one that runs already, or processes on this machine.

Tasks go to the scheduler under their names, a few more than there are workers at a time, and small dictionaries come
back. If a worker dies, the scheduler gives its task to another one; only a task whose workers die time and again is
given up.
"""

from __future__ import annotations

import multiprocessing
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from discreet.errors import DiscreetError, InputError
from discreet.scale.engines import Task
from discreet.scale.engines.workers import faults_of, worker_facts
from discreet.work import thread_count

if TYPE_CHECKING:
    from distributed import Client, Future

SECONDS_TO_ANSWER = 10
"""After this long a scheduler that does not answer counts as not there."""
LEAST_MEMORY = 512 * 10**6
"""A worker takes 300 MB for Python, Arrow and compiled code before it holds a record."""
QUIET = {
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "500ms",
}
"""Workers that look at themselves a hundred times a second take a tenth of a core; ten times, a hundredth still."""
LOADED = "discreet.scale.engines.loaded"
AHEAD = 2
"""Tasks given to the scheduler for each that can run: a worker finds its next one without asking the client."""


class Dask:
    def __init__(self, client: Client) -> None:
        self._client = client

    def run(self, tasks: Sequence[Task], done: Callable[[int], None]) -> list[dict[str, Any]]:
        from distributed import KilledWorker, as_completed

        # A scheduler serves many clients: two runs must not take each other's task of the same name for theirs.
        run = uuid4().hex
        places: dict[Future, int] = {}
        results: list[dict[str, Any]] = [{} for _ in tasks]
        queue = iter(enumerate(tasks))
        ended = as_completed(loop=self._client.loop)

        def submit_next() -> None:
            i, task = next(queue, (0, None))
            if task is not None:
                future = self._client.submit(task.function, *task.arguments, key=f"{task.name}-{run}", pure=False)
                places[future] = i
                ended.add(future)

        try:
            for _ in range(AHEAD * max(1, sum(self._client.nthreads().values()))):
                submit_next()
            for future in ended:
                i = places.pop(future)
                try:
                    results[i] = future.result()
                except KilledWorker:
                    raise DiscreetError(
                        f"workers died again and again while they ran {tasks[i].name}, most often for lack of memory: "
                        "give less with --memory, or start workers that have more"
                    ) from None
                except CancelledError:
                    raise DiscreetError(
                        "the Dask scheduler dropped the run: it was restarted or cannot be reached any more"
                    ) from None
                future.release()  # else it is computed again when the worker that holds it dies
                done(i)
                submit_next()
        finally:
            if places:  # a scheduler tells all its clients of a cancellation, of none too
                self._client.cancel(list(places), force=True)
        return results


@contextmanager
def open_dask(cluster: str, memory: int, shared: Sequence[Path]) -> Iterator[Dask]:
    """The cluster at `dask://host:port`, or workers on this machine for `local`."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError(f"cluster {cluster} needs Dask: install it with pip install 'discreet[dask]'") from None
    with _local_workers(memory) if cluster == "local" else _address(cluster) as where:
        try:
            client = Client(where, timeout=SECONDS_TO_ANSWER, set_as_default=False)
        except (OSError, ValueError):
            raise InputError(
                f"no Dask scheduler answers at {cluster}: start one with dask scheduler, or say local"
            ) from None
        with client:
            _check_workers(client, cluster, memory, shared)
            yield Dask(client)


@contextmanager
def _address(cluster: str) -> Iterator[str]:
    yield "tcp" + cluster.removeprefix("dask")


@contextmanager
def _local_workers(memory: int) -> Iterator[Any]:
    """One worker process a core, each limited to `memory`.

    Their ports are open to every user of the machine, and whoever may talk to a worker may have it run anything:
    certificates made for this run keep others out.
    """
    import dask
    from distributed import LocalCluster

    if memory < LEAST_MEMORY:
        raise InputError(f"workers need {LEAST_MEMORY / 1e6:.0f} MB or more: give more with --memory, or no cluster")
    try:
        with dask.config.set(QUIET | _beginning()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the dashboard's port is taken: it shows at another one
            workers = LocalCluster(
                n_workers=thread_count(),
                threads_per_worker=1,
                memory_limit=memory,
                security=True,
                dashboard_address="127.0.0.1:8787",
                env={"DISCREET_THREADS": "1"},
                silence_logs=50,
            )
    except RuntimeError:
        raise InputError(
            "the Dask workers did not start: in a script, the call must stand below if __name__ == '__main__':, since "
            "each worker reads the script again"
        ) from None
    with workers:
        yield workers


def _beginning() -> dict[str, str]:
    """How workers begin: on Linux as copies of one process that has loaded the libraries, elsewhere each anew.

    Before Python 3.11.1 that process took orders from every user of the machine (CVE-2022-42919).
    """
    if sys.platform != "linux" or sys.version_info < (3, 11, 1):
        return {}
    import distributed.utils

    # Its own list has whatever is installed: pandas, which no worker needs, would be loaded here and there.
    distributed.utils._forkserver_preload_set = True
    multiprocessing.get_context("forkserver").set_forkserver_preload([LOADED])
    return {"distributed.worker.multiprocessing-method": "forkserver"}


def _check_workers(client: Client, cluster: str, memory: int, shared: Sequence[Path]) -> None:
    """That there are workers, with this version, enough memory and the same files."""
    try:
        client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
    except TimeoutError:
        raise InputError(f"{cluster} has no workers: start some with dask worker") from None

    facts = worker_facts([str(path) for path in shared])

    def told(dask_worker: Any) -> tuple[Any, float]:
        """Its facts, and the memory of each of its threads; 0 where it has no limit."""
        return facts(), (dask_worker.memory_manager.memory_limit or 0) / dask_worker.state.nthreads

    workers = client.run(told)  # in one call: they may come and go
    if not workers:
        raise InputError(f"the workers of {cluster} went away while they were asked: try again")
    faults = faults_of([own for own, _ in workers.values()])
    least = min((limit for _, limit in workers.values() if limit), default=memory)
    if least < memory:
        faults.append(
            f"a worker has {least / 1e9:.2f} GB for each of its threads, less than --memory ({memory / 1e9:.2f} GB): "
            "start workers with --nthreads 1 or more memory, or give less with --memory"
        )
    if faults:
        raise InputError(faults)
