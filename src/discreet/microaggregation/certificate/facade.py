"""`certify`: the best partition that is known, a bound that no partition can undercut, and the proof of the bound.

| bound | when | argument |
|---|---|---|
| only partition | k = 1 or n < 2k | there is no other |
| zero | the partition has SSE 0 | SSE is never negative |
| dynamic programming | one column varies | Hansen and Mukherjee (2003) |
| nearest neighbors | no time; no limit of time and n beyond 100 000 | `neighbors` |
| column generation by blocks | n beyond 7000 | `blocks`: the same without tables of distances |
| column generation | otherwise | `sweep`: any multipliers prove a bound |
| column generation with cuts | where cuts raise it | the same with penalties |
| target enumeration | where the gap can be decided | `proof` |

Without a time limit the work is a fixed number of rounds, branches and groups, the same on every run and for any number
of threads. With one, the work is the same sequence, cut off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from discreet.errors import Faults
from discreet.microaggregation.certificate.neighbors import neighbor_bound
from discreet.microaggregation.certificate.space import Floats
from discreet.microaggregation.certificate.standing import Proof, Standing
from discreet.microaggregation.problem import Labels, renumber, sse
from discreet.work import Deadline, ProgressCallback, Reporter

FORMAT = "discreet microaggregation certificate 1"
# Tables of distances take 20·n² bytes while they are made.
MOST_RECORDS = 7000
# Beyond that, work by blocks takes some milliseconds a record: not unasked for where nobody set a limit of time.
MOST_UNLIMITED = 100_000


class Work(NamedTuple):
    """How much is done without a time limit.

    Starts, dives, rounds of cuts, branches a root and size (from k = 8 on, where groups are many, the second figure),
    groups to enumerate, nodes of an integer program, rounds of windows; rounds by blocks, for large files.
    """

    descents: int
    annealings: int
    proposals: float
    dives: int
    cut_rounds: int
    branches: int
    branches_large: int
    budgets: tuple[int, ...]
    nodes: int
    windows: int
    block_rounds: int


EFFORTS: Mapping[str, Work] = {
    "fast": Work(10, 2, 200.0, 0, 0, 20_000, 1000, (), 0, 0, 4),
    "default": Work(15, 6, 1500.0, 2, 60, 2_000_000, 20_000, (1000, 2000, 4000, 10_000), 2000, 40, 12),
    "best": Work(25, 16, 4000.0, 4, 120, 50_000_000, 200_000, (1000, 2000, 4000, 8000, 16000, 32000), 20_000, 200, 30),
}


@dataclass(frozen=True)
class Certificate:
    """`lower_bound` ≤ SSE of every partition into groups of k or more; `labels` and `sse` are the best one found.

    `status` is "optimal" (the two agree within a ten-millionth of the SSE), "converged" (the work is done), "time
    limit" or "interrupted". `bound` names the argument. `payload` is what `to_json` writes: all that a check of the
    bound needs besides the data. It holds a number for every record, so it is as confidential as the data.
    """

    lower_bound: float
    labels: Labels = field(repr=False)
    sse: float
    status: str
    bound: str
    k: int
    payload: Mapping[str, Any] = field(repr=False)
    detail: Mapping[str, int] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """What is left, in percent of `sse`."""
        return 100.0 * (self.sse - self.lower_bound) / self.sse if self.sse > 0 else 0.0

    def to_json(self) -> str:
        return json.dumps(dict(self.payload), allow_nan=False) + "\n"


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
    shares tables of distances and stays on threads here.
    """
    faults = Faults()
    points = np.ascontiguousarray(points, np.float64)
    faults.check(effort is None or effort in EFFORTS, f"unknown effort {effort!r}: choose one of {', '.join(EFFORTS)}")
    if faults.check(points.ndim == 2 and points.size > 0, "points must be a table with at least one row and column"):
        faults.check(bool(np.isfinite(points).all()), "points must be finite numbers")
        faults.check(1 <= k <= len(points), f"k must be a whole number from 1 to the {len(points)} records")
    faults.raise_if_any()
    deadline = Deadline(time_limit)
    n = len(points)
    if k == 1 or n < 2 * k:
        only = np.arange(n) if k == 1 else np.zeros(n, np.int64)
        return _settled(points, k, only, "only partition")
    varying = np.flatnonzero(np.ptp(points, axis=0) > 0)
    if len(varying) <= 1:
        from discreet.microaggregation.univariate import univariate

        column = points[:, varying[0] if len(varying) else 0]
        return _settled(points, k, univariate(column, k), "dynamic programming")

    # A power of two moves every figure exactly; the solvers' absolute tolerances then suit data of any scale.
    if labels is None:
        from discreet.microaggregation.mdav import mdav

        labels = mdav(points, k)
    labels = renumber(labels)
    value = sse(points, labels)
    if value == 0.0:
        return _settled(points, k, labels, "zero")
    exponent = int(np.round(0.5 * np.log2(n / value)))
    scaled = np.ldexp(points, exponent)
    standing = Standing(scaled, k, labels, deadline, Reporter(progress), float(np.ldexp(1.0, -2 * exponent)))
    standing.offer_proof(Proof(neighbor_bound(scaled, k), "nearest neighbors"))
    interrupted, converged = False, False
    try:
        if n <= MOST_RECORDS and not deadline.passed:
            from discreet.microaggregation.certificate.campaign import campaign

            converged = campaign(standing, EFFORTS[effort or "default"], random_state, executor)
        elif n > MOST_RECORDS and not deadline.passed and (time_limit is not None or n <= MOST_UNLIMITED):
            from discreet.microaggregation.certificate.blocks import Plan, blocks_campaign

            converged = blocks_campaign(standing, Plan(rounds=EFFORTS[effort or "default"].block_rounds), random_state)
        else:
            converged = n > MOST_UNLIMITED and time_limit is None
    except KeyboardInterrupt:
        interrupted = True
    status = (
        "optimal" if standing.closed else "interrupted" if interrupted else "converged" if converged else "time limit"
    )
    return _certificate(points, standing, exponent, status)


def _settled(points: Floats, k: int, labels: Labels, kind: str) -> Certificate:
    labels = renumber(labels)
    value = sse(points, labels)
    payload = {"format": FORMAT, "bound": kind, "k": k, "n": len(points), "sse": value, "lower_bound": value}
    return Certificate(value, labels, value, "optimal", kind, k, payload)


def _certificate(points: Floats, standing: Standing, exponent: int, status: str) -> Certificate:
    """Back to the scale of the points: SSE and multipliers are squares of it."""
    proof = standing.proof
    value = sse(points, standing.labels)

    def back(x: float) -> float:
        return float(np.ldexp(x, -2 * exponent))

    bound = min(back(proof.value), value)
    payload: dict[str, Any] = {
        "format": FORMAT,
        "bound": proof.kind,
        "k": standing.k,
        "n": len(points),
        "sse": value,
        "lower_bound": bound,
        "status": status,
    }
    if proof.multipliers is not None and proof.roots is not None:
        weights = proof.penalties if proof.penalties is not None else np.zeros(0)
        payload["multipliers"] = [back(x) for x in proof.multipliers]
        payload["roots"] = {str(i): back(r) for i, r in enumerate(proof.roots) if r < 0}
        payload["cuts"] = [
            {"records": list(c.records), "numerators": list(c.numerators), "divisor": c.divisor, "penalty": back(w)}
            for c, w in zip(proof.cuts, weights)
        ]
        if proof.target is not None:
            # Where the search below the target found a better partition, there is nothing below that one either.
            payload["target"] = min(back(proof.target), value)
            if proof.searched is not None:
                payload["searched"] = proof.searched
            if proof.spent is not None:
                payload["spent"] = back(proof.spent)
    return Certificate(bound, standing.labels, value, status, proof.kind, standing.k, payload, dict(standing.counts))
