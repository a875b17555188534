"""MicroaggregationHeuristicMP of Gentile, Spagnolo-Arrizabalaga and Castro (2020): `method="column-generation"`.

Columns of MDAV and V-MDAV start the master; each round rounds its solution by SimpleRounding and RoundingMST and prices
new columns as `pricing_problem` does, until there are none. Then the master's value bounds every partition from below,
and where its solution is whole, that partition is optimal. Meant for a few hundred records: `certify` goes further.
"""

from __future__ import annotations

import numpy as np

from discreet.errors import InputError
from discreet.methods import Status
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.paper.pricing_problem import pricing_problem
from discreet.microaggregation.certificate.paper.rounding_mst import rounding_mst
from discreet.microaggregation.certificate.paper.simple_rounding import simple_rounding
from discreet.microaggregation.certificate.space import Floats, measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.groups import labels_of
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Labels, Partition, renumber, sse, sst
from discreet.solvers.master_lp import MasterLP
from discreet.work import Deadline, ProgressCallback, Reporter

MOST_RECORDS = 300


def run(call: Call) -> Outcome:
    """The method as the registry calls it."""
    points, k = call.problem
    found = column_generation(points, k, deadline=call.deadline, report=call.report)
    return Outcome(found.labels, found.method, found.status, found.detail)


def column_generation(
    points: Floats,
    k: int,
    *,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
    deadline: Deadline | None = None,
    report: Reporter | None = None,
) -> Partition:
    """The best partition found; `detail` has the master's value, a lower bound when `priced_out` is 1."""
    deadline = deadline or Deadline(time_limit)
    report = report or Reporter(progress)
    points = np.ascontiguousarray(points, np.float64)
    n = len(points)
    if n > MOST_RECORDS:
        raise InputError(
            f"method 'column-generation' enumerates groups and takes up to {MOST_RECORDS} records, not {n}: "
            "use another method with certify=True (--certify) for a bound"
        )
    space = measure(points, k)
    columns = Columns(space, min(2 * k - 1, n))
    starts = [mdav(points, k), _variable(points, k)]
    best = min(starts, key=lambda labels: sse(points, labels))
    by_heuristic = {"simple": np.inf, "mst": np.inf}
    for labels in starts:
        columns.add_partition(labels)
    lp = MasterLP(np.ones(n), np.ones(n))
    # Artificial columns: a first basis, far too dear to stay.
    artificial = np.full(n, 2.0 * sse(points, best) + 1.0)
    lp.add_columns(artificial, np.arange(n + 1, dtype=np.int32), np.arange(n, dtype=np.int32), np.ones(n))
    known, rounds, value, whole, priced_out = 0, 0, -np.inf, False, False
    while not deadline.passed:
        members, sizes, costs = columns.subset(range(known, columns.count))
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        lp.add_columns(costs, start, members[members >= 0], np.ones(int(start[-1])))
        known = columns.count
        solution = lp.solve(deadline.remaining)
        if not solution.solved:
            break
        rounds += 1
        value, x = solution.value, solution.x[n:]
        whole = bool(((x < 1e-6) | (x > 1 - 1e-6)).all()) and solution.x[:n].max() < 1e-9
        rounded: dict[str, list[Labels | None]] = {
            "simple": [simple_rounding(points, k, columns.members, x)],
            "mst": list(rounding_mst(n, k, columns.members, x)),
        }
        if whole:
            rounded["whole"] = [labels_of(columns.members[x > 0.5], n)]
        for name, partitions in rounded.items():
            for partition in partitions:
                if partition is None:
                    continue
                loss = sse(points, renumber(partition))
                by_heuristic[name] = min(by_heuristic.get(name, np.inf), loss)
                if loss < sse(points, best):
                    best = renumber(partition)
        report("column generation", None, sse=sse(points, best), master=value)
        try:
            found = pricing_problem(space.distance, solution.duals[:n], k, deadline)
        except TimeoutError:
            break
        if not found:
            priced_out = True
            break
        width = columns.members.shape[1]
        rows = np.full((len(found), width), -1, np.int32)
        for g, group in enumerate(found):
            rows[g, : len(group)] = group
        if not len(columns.add(rows, np.array([len(g) for g in found], np.int32))):
            priced_out = True
            break
    loss, total = sse(points, best), sst(points)
    status: Status = "optimal" if priced_out and whole else "complete" if priced_out else "time limit"
    detail: dict[str, float | int | str] = {"rounds": rounds, "columns": columns.count, "priced_out": int(priced_out)}
    if np.isfinite(value):
        detail["master"] = float(value)
    detail |= {f"{name} rounding": float(v) for name, v in by_heuristic.items() if np.isfinite(v) and name != "whole"}
    return Partition(renumber(best), "column-generation", status, loss, total, detail)


def _variable(points: Floats, k: int) -> Labels:
    """V-MDAV's partition, with the gain factor its authors give for scattered data."""
    from discreet.microaggregation.constructions.endings import split_large
    from discreet.microaggregation.constructions.vmdav import vmdav

    return split_large(points, vmdav(points, k, 0.2), k)
