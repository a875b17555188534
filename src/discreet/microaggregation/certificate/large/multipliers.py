"""Better multipliers for all records out of a pool of groups, block by block.

Among multipliers that leave no group of the pool negative, the largest sum is wanted: the dual of the master over the
pool. It is approached by blocks of records, one after the other, the others held fixed: with rc(C) the reduced costs at
present, the change δ of a block B solves

    maximize Σ_{v∈B} δ_v   subject to   Σ_{v∈C∩B} δ_v ≤ rc(C) for every group C of the pool,   |δ_v| ≤ box_v.

The box keeps the change within what the pool knows about. Nothing here proves a bound: pricing has the last word.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy import sparse

from discreet.microaggregation.certificate.master.interior_point import solve_master
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.groups import Groups, normalized, reduced_costs, take
from discreet.microaggregation.problem import Labels
from discreet.work import Deadline


def with_sse(points: Floats, members: Ints, sizes: Ints) -> Groups:
    """Groups with their SSE, by their means: there is no table of distances."""
    members = normalized(members, members.shape[1])
    return Groups(members, sizes.astype(np.int32), _sse(points, members, sizes))


def least_reduced(pool: Groups, multipliers: Floats, most: int) -> Groups:
    """Without repetitions, and without all but the `most` groups of least reduced cost."""
    _, first = np.unique(pool.members, axis=0, return_index=True)
    reduced = reduced_costs(pool, multipliers)[first]
    if len(first) > most:
        first = first[np.argpartition(reduced, most)[:most]]
    first.sort()
    return take(pool, first)


def _sse(points: Floats, members: Ints, sizes: Ints) -> Floats:
    """The SSE of each row of members (padded with −1 at the end)."""
    out = np.zeros(len(sizes))
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        for start in range(0, len(rows), 20_000):
            some = rows[start : start + 20_000]
            inside = points[members[some, :size]]
            out[some] = np.square(inside - inside.mean(axis=1, keepdims=True)).sum(axis=(1, 2))
    return out


def repaired(multipliers: Floats, pool: Groups) -> Floats:
    """Lower the members' multipliers, group after group from the worst, until no group of the pool is negative."""
    out = multipliers.copy()
    for _ in range(20):
        reduced = reduced_costs(pool, out)
        negative = np.flatnonzero(reduced < 0)
        if not len(negative):
            break
        for g in negative[np.argsort(reduced[negative], kind="stable")]:
            row = pool.members[g, : pool.sizes[g]]
            lack = out[row].sum() - pool.costs[g]
            if lack > 0:
                out[row] -= lack * (1 + 1e-12) / pool.sizes[g]
    return out


def lifted(multipliers: Floats, pool: Groups, blocks: Iterable[Labels], box: Floats, deadline: Deadline) -> Floats:
    """Multipliers of larger sum, from ones that leave no group of the pool negative."""
    out = multipliers.copy()
    n = len(out)
    inside = pool.members >= 0
    group = np.repeat(np.arange(len(pool.sizes)), pool.sizes)
    table = sparse.csc_matrix((np.ones(len(group), np.int8), (group, pool.members[inside])), shape=(len(pool.sizes), n))
    place = np.full(n + 1, -1, np.int32)
    for block in blocks:
        if deadline.passed:
            break
        touched = np.unique(table[:, block].indices)
        rows = pool.members[touched]
        reduced = np.maximum(pool.costs[touched] - np.append(out, 0.0)[rows].sum(axis=1), 0.0)
        # Where the box alone keeps a group from turning negative, it need not be looked at.
        place[block] = np.arange(len(block), dtype=np.int32)
        local = place[rows]
        place[block] = -1
        matter = reduced < np.append(box[block], 0.0)[local].sum(axis=1)
        members = normalized(local[matter], rows.shape[1])
        sizes = (members >= 0).sum(axis=1).astype(np.int32)
        try:
            # What they cost here is what is left of it.
            left = Groups(members, sizes, reduced[matter])
            found = solve_master(left, box[block], box[block], tolerance=1e-3, time_limit=deadline.remaining)
        except TimeoutError:
            break
        change = np.clip(found.multipliers, -box[block], box[block])
        if np.isfinite(change).all() and change.sum() > 0:
            out[block] += change
    return out
