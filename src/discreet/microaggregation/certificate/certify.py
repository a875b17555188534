"""`certify`: the best partition that is known, a bound that no partition can undercut, and the proof of the bound.

| bound | when | argument |
|---|---|---|
| only partition | k = 1 or n < 2k | there is no other |
| zero | the partition has SSE 0 | SSE is never negative |
| dynamic programming | one column varies | Hansen and Mukherjee (2003) |
| nearest neighbors | no time; no limit of time and n beyond 100 000 | `neighbor_bound` |
| column generation by blocks | n beyond 7000 | `large.blocks`: the same without tables of distances |
| column generation | otherwise | `bound`: any multipliers prove a bound |
| column generation with cuts | where cuts raise it | the same with penalties |
| target enumeration | where the gap can be decided | `exact.target_enumeration` |

Without a time limit the work is a fixed number of rounds, branches and groups, the same on every run and for any number
of threads. With one, the work is the same sequence, cut off.
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

import discreet.microaggregation.certificate.efforts as efforts
from discreet.errors import Faults, whole
from discreet.microaggregation.certificate.neighbor_bound import neighbor_bound
from discreet.microaggregation.certificate.progress import Progress, Proof
from discreet.microaggregation.certificate.result import Certificate, Status, certificate_of, settled
from discreet.microaggregation.certificate.space import Floats
from discreet.microaggregation.methods import Call, Problem
from discreet.microaggregation.problem import Labels, renumber, sse
from discreet.work import Deadline, ProgressCallback, Reporter


def certify(
    points: Floats,
    k: int,
    *,
    labels: Labels | None = None,
    effort: str | None = None,
    time_limit: float | None = None,
    random_state: int = 0,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
) -> Certificate:
    """Bound the SSE of every partition of `points` into groups of at least `k`, and improve on `labels` on the way.

    `effort` is "fast" (no cuts), "default" or "best"; None is "default". `executor` runs the start partitions; pricing
    shares tables of distances and stays on threads here. This is the door for those who hold an array.
    """
    faults = Faults()
    points = np.ascontiguousarray(points, np.float64)
    levels = efforts.EFFORTS
    faults.check(effort is None or effort in levels, f"unknown effort {effort!r}: choose one of {', '.join(levels)}")
    if faults.check(points.ndim == 2 and points.size > 0, "points must be a table with at least one row and column"):
        faults.check(bool(np.isfinite(points).all()), "points must be finite numbers")
        faults.check(
            1 <= (whole(k) or 0) <= len(points), f"k must be a whole number from 1 to the {len(points)} records"
        )
    faults.raise_if_any()
    call = Call(
        problem=Problem(points, int(k)),
        deadline=Deadline(time_limit),
        report=Reporter(progress),
        seed=random_state,
        executor=executor,
        effort=effort,
    )
    return prove(call, labels)


def prove(call: Call, labels: Labels | None) -> Certificate:
    """The certificate for a call that was checked, from `labels` or, where there are none, from those of MDAV."""
    (points, k), deadline = call.problem, call.deadline
    n = len(points)
    if k == 1 or n < 2 * k:
        only = np.arange(n) if k == 1 else np.zeros(n, np.int64)
        return settled(points, k, only, "only partition")
    varying = np.flatnonzero(np.ptp(points, axis=0) > 0)
    if len(varying) <= 1:
        from discreet.microaggregation.constructions.univariate import univariate

        column = points[:, varying[0] if len(varying) else 0]
        return settled(points, k, univariate(column, k), "dynamic programming")

    # A power of two moves every figure exactly; the solvers' absolute tolerances then suit data of any scale.
    if labels is None:
        from discreet.microaggregation.constructions.mdav import mdav

        labels = mdav(points, k)
    labels = renumber(labels)
    value = sse(points, labels)
    if value == 0.0:
        return settled(points, k, labels, "zero")
    exponent = int(np.round(0.5 * np.log2(n / value)))
    scaled = np.ldexp(points, exponent)
    known = Progress(scaled, k, labels, deadline, call.report, float(np.ldexp(1.0, -2 * exponent)))
    known.offer_proof(Proof(neighbor_bound(scaled, k), "nearest neighbors"))
    interrupted, converged = False, False
    work = efforts.EFFORTS[call.effort or "default"]
    most, unlimited = efforts.MOST_RECORDS, efforts.MOST_UNLIMITED
    try:
        if n <= most and not deadline.passed:
            from discreet.microaggregation.certificate.stages import run_stages

            converged = run_stages(known, work, call.seed, call.executor)
        elif n > most and not deadline.passed and (deadline.limit is not None or n <= unlimited):
            from discreet.microaggregation.certificate.large.blocks import Blocking, bound_by_blocks

            converged = bound_by_blocks(known, Blocking(rounds=work.block_rounds), call.seed)
        else:
            converged = n > unlimited and deadline.limit is None
    except KeyboardInterrupt:
        interrupted = True
    status: Status = (
        "optimal" if known.closed else "interrupted" if interrupted else "converged" if converged else "time limit"
    )
    return certificate_of(points, known, exponent, status)
