"""Microaggregation: partition numeric records into groups of k .. 2k−1 with least sum of squared errors."""

from __future__ import annotations

from concurrent.futures import Executor
from numbers import Integral
from typing import TYPE_CHECKING, Any

from discreet.errors import Faults
from discreet.microaggregation.methods import EFFORTS, METHODS, REGISTRY, Call, check_call
from discreet.work import Deadline, ProgressCallback, Reporter

if TYPE_CHECKING:
    from discreet.microaggregation.problem import Floats, Partition

__all__ = ["EFFORTS", "METHODS", "solve"]


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
    """Partition the rows of `points` into groups of k .. 2k−1 rows.

    `effort` None means "default" where the method has effort levels. `random_state` is a whole number; None
    is 0: the same call gives the same labels. `options` are the method's own parameters, under the names of
    its paper.
    """
    import numpy as np

    from discreet.microaggregation.problem import Partition, check_partition, renumber, sse, sst

    faults = Faults()
    points = np.ascontiguousarray(points, np.float64)
    if faults.check(points.ndim == 2 and points.size > 0, "points must be a table with at least one row and column"):
        faults.check(bool(np.isfinite(points).all()), "points must be finite numbers")
    if faults.check(_is_whole(k) and k >= 1, "k must be a whole number, 1 or more"):
        faults.check(points.ndim != 2 or k <= len(points), f"k = {k} is more than the {len(points)} records")
    faults.check(
        random_state is None or (_is_whole(random_state) and 0 <= random_state < 2**63),
        "random_state must be a whole number from 0 to 2^63 - 1, or None",
    )
    check_call(faults, method, effort, time_limit, executor, options)
    faults.raise_if_any()

    n, k = len(points), int(k)
    call = Call(
        effort=(effort or "default") if REGISTRY[method].effort else None,
        deadline=Deadline(time_limit),
        seed=int(random_state or 0),
        executor=executor,
        report=Reporter(progress),
        options=options,
    )
    total = sst(points)
    if k == 1 or n < 2 * k:
        # The only partition there is.
        labels = np.arange(n) if k == 1 else np.zeros(n, np.int64)
        check_partition(labels, n, k)
        return Partition(labels, method, "optimal", sse(points, labels), total, {"picked": "trivial"})
    outcome = REGISTRY[method].load()(points, k, call)
    labels = renumber(outcome.labels)
    check_partition(labels, n, k)
    return Partition(
        labels,
        outcome.method,
        outcome.status,
        sse(points, labels),
        total,
        {"picked": outcome.method, **outcome.detail},
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
