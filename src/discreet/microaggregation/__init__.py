"""Microaggregation: partition numeric records into groups of k .. 2k−1 with least sum of squared errors."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from discreet.errors import Faults, whole
from discreet.methods import Wanted
from discreet.microaggregation.methods import EFFORTS, METHODS, REGISTRY, Call, Problem
from discreet.work import SEED_FAULT, Deadline, ProgressCallback, Reporter, is_seed

if TYPE_CHECKING:
    from discreet.microaggregation.problem import Floats, Partition

__all__ = ["EFFORTS", "METHODS", "find_groups", "solve"]


def solve(
    points: Floats,
    k: int,
    *,
    method: str = "auto",
    effort: str | None = None,
    time_limit: float | None = None,
    random_state: int | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    **options: Any,
) -> Partition:
    """Partition the rows of `points` into groups of k .. 2k−1 rows: the door for those who hold an array.

    `effort` None means "default" where the method has effort levels. `random_state` is a whole number; None
    is 0: the same call gives the same labels. `options` are the method's own parameters, under the names of
    its paper.
    """
    import numpy as np

    faults, wanted = Faults(), Wanted(method, effort, time_limit, executor, options)
    points = np.ascontiguousarray(points, np.float64)
    if faults.check(points.ndim == 2 and points.size > 0, "points must be a table with at least one row and column"):
        faults.check(bool(np.isfinite(points).all()), "points must be finite numbers")
    least = whole(k) or 0
    if faults.check(least >= 1, "k must be a whole number, 1 or more"):
        faults.check(points.ndim != 2 or least <= len(points), f"k = {k} is more than the {len(points)} records")
    faults.check(is_seed(random_state), SEED_FAULT)
    REGISTRY.check(faults, wanted)
    faults.raise_if_any()
    call = Call(
        problem=Problem(points, least),
        deadline=Deadline(time_limit),
        report=Reporter(progress),
        seed=int(random_state or 0),
        executor=executor,
        effort=REGISTRY.effort_of(wanted),
        options=options,
    )
    return find_groups(method, call)


def find_groups(method: str, call: Call) -> Partition:
    """The partition that the named method finds, for a call that was checked."""
    import numpy as np

    from discreet.microaggregation.problem import Partition, check_partition, renumber, sse, sst

    points, k = call.problem
    n, total = len(points), sst(points)
    if k == 1 or n < 2 * k:
        # The only partition there is.
        labels = np.arange(n) if k == 1 else np.zeros(n, np.int64)
        check_partition(labels, n, k)
        return Partition(labels, method, "optimal", sse(points, labels), total, {"picked": "trivial"})
    outcome = REGISTRY.run(method, call)
    labels = renumber(outcome.answer)
    check_partition(labels, n, k)
    return Partition(
        labels,
        outcome.method,
        outcome.status,
        sse(points, labels),
        total,
        {"picked": outcome.method, **outcome.detail},
        outcome.proof,
    )
