"""ICSM: iterative constraint satisfaction for microaggregation (Mortazavi and Jalili, 2015).

Algorithm 2. From MDAV: a tour through the groups (`orderings`), cut anew (`path_cut`), which settles the
number of groups; then the simple heuristic; again until nothing changes; then the complex heuristic, and all
over again.

Simple (Algorithm 3): exchanges of two records (2-opt) and migrations of one (1-opt) that lower SSE are
collected into a pool of p_n in the order they are found; the pool is applied best first, leaving out changes
to a group that has changed already.

Complex (Algorithm 4): G_s is the group of least score (equation 7), the others are ranked by the distance of
their centroid to that of G_s. In the acyclic graph whose edges lead from lower to higher rank, with the cost
R1 of replacing one record by another (equation 3 with the brackets restored), R2 of adding one and R3 of
removing one, a shortest path from G_s to any node that closes to a negative cycle is a cyclic shift over
different groups that lowers SSE (n-opt); the best one is applied. Where G_s closes no cycle, the groups of
next higher score take its place, up to `sources` in all (the paper stops after one).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.constructions.orderings import through_groups
from discreet.microaggregation.constructions.remaining import by_falling
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.path_cut import cut_tour
from discreet.microaggregation.problem import Floats, Labels, sse
from discreet.microaggregation.search.moves import Ints, padded, squared
from discreet.microaggregation.search.restarts import Until, run_tasks
from discreet.scale import workers

POOL_SIZE = 100
SOURCES = 4
_PERTURBED = 20


def run(call: Call) -> Outcome:
    """One run from MDAV, then `restarts` more from starts with at most 20 records changed (section 5.3)."""
    points, k = call.problem
    most = call.options.get("max_iterations")
    pool_size = int(call.options.get("pool_size", POOL_SIZE))
    sources = int(call.options.get("sources", SOURCES))
    restarts = int(call.options.get("restarts", 0))
    start = mdav(points, k)
    until = Until.of(call.deadline)
    tasks = (
        (points, k, start if r == 0 else _perturbed(start, call.seed, r), most, pool_size, sources, until)
        for r in range(restarts + 1)
    )
    best, least, iterations, shifts, complete, runs = start, sse(points, start), 0, 0, True, 0
    with workers(call.executor) as executor:
        for labels, value, steps, cycles, ended in run_tasks(executor, icsm, tasks, call.deadline):
            runs += 1
            iterations += steps
            shifts += cycles
            complete = complete and ended
            if value < least:
                best, least = labels, value
            call.report("icsm", runs / (restarts + 1), sse=least)
    complete = complete and runs == restarts + 1
    detail = {"runs": runs, "iterations": iterations, "cyclic shifts": shifts}
    return Outcome(best, "icsm", "complete" if complete else "time limit", detail)


def _perturbed(labels: Labels, seed: int, restart: int) -> Labels:
    """At most 20 records move to groups drawn at random; the tour that follows restores the sizes."""
    random = np.random.default_rng([seed, restart])
    out = labels.copy()
    chosen = random.choice(len(out), min(_PERTURBED, len(out)), replace=False)
    out[chosen] = random.integers(0, labels.max() + 1, len(chosen))
    return np.unique(out, return_inverse=True)[1].astype(np.int64)


def icsm(
    points: Floats, k: int, labels: Labels, most: int | None, pool_size: int, sources: int, until: Until
) -> tuple[Labels, float, int, int, bool]:
    """Labels, their SSE, iterations, cyclic shifts, and whether it ran to its end (or to `most`
    iterations)."""
    wide = padded(points)
    columns = np.ascontiguousarray(points.T)
    # A change must gain more than rounding can pretend.
    least = 1e-12 * float(np.square(points).sum())
    if int(np.bincount(labels).max()) < 2 * k and int(np.bincount(labels).min()) >= k:
        labels, value = labels.copy(), sse(points, labels)
    else:
        labels, value = cut_tour(points, through_groups(points, labels), k)
    iterations = shifts = 0
    while most is None or iterations < most:
        if until.passed:
            return labels, value, iterations, shifts, False
        cut, cut_value = cut_tour(points, through_groups(points, labels), k)
        changed = cut_value < value - least
        if changed:
            labels = cut
        changed = simple(wide, columns, labels, k, pool_size, least) > 0 or changed
        iterations += 1
        if not changed:
            if not complex_heuristic(wide, labels, k, sources, least):
                break
            shifts += 1
        value = sse(points, labels)
    return labels, value, iterations, shifts, True


@unchecked
def _centroids(points: Floats, labels: Labels) -> tuple[Floats, Ints, Floats]:
    """Means and sizes of the groups, and every record's squared distance to its own mean."""
    n, d = points.shape
    groups = labels.max() + 1
    means, size, own = np.zeros((groups, d)), np.zeros(groups, np.int64), np.empty(n)
    for x in range(n):
        size[labels[x]] += 1
        for l in range(d):
            means[labels[x], l] += points[x, l]
    for p in range(groups):
        for l in range(d):
            means[p, l] /= size[p]
    for x in range(n):
        own[x] = squared(points, x, means, labels[x])
    return means, size, own


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def simple(points: Floats, columns: Floats, labels: Labels, k: int, pool_size: int, least: float) -> int:
    """Algorithm 3: changes `labels` in place and returns how many changes were applied."""
    d, n = columns.shape
    means, size, own = _centroids(points, labels)
    groups = size.size
    gain, first, second = np.empty(pool_size), np.empty(pool_size, np.int64), np.empty(pool_size, np.int64)
    found = 0
    to_group, to_mean, to_record = np.empty(groups), np.empty(n), np.empty(n)
    for x in range(n):
        if found == pool_size:
            break
        p = labels[x]
        for q in range(groups):
            to_group[q] = squared(points, x, means, q)
        if size[p] > k:
            for q in range(groups):
                if q != p and size[q] < 2 * k - 1:
                    change = size[q] / (size[q] + 1.0) * to_group[q] - size[p] / (size[p] - 1.0) * own[x]
                    if change < -least and found < pool_size:
                        gain[found], first[found], second[found] = -change, x, n + q
                        found += 1
        to_mean[x:] = 0.0
        to_record[x:] = 0.0
        for l in range(d):
            row = columns[l]
            m, v = means[p, l], points[x, l]
            for y in range(x + 1, n):
                a = row[y] - m
                b = row[y] - v
                to_mean[y] += a * a
                to_record[y] += b * b
        for y in range(x + 1, n):
            q = labels[y]
            if q == p:
                continue
            change = to_group[q] + to_mean[y] - own[x] - own[y]
            change -= to_record[y] * (1.0 / size[p] + 1.0 / size[q])
            if change < -least and found < pool_size:
                gain[found], first[found], second[found] = -change, x, y
                found += 1
    touched = np.zeros(groups, np.bool_)
    applied = 0
    for a in by_falling(gain[:found]):
        x, y = first[a], second[a]
        p = labels[x]
        q = labels[y] if y < n else y - n
        if touched[p] or touched[q]:
            continue
        touched[p] = touched[q] = True
        labels[x] = q
        if y < n:
            labels[y] = p
        applied += 1
    return applied


@unchecked
def scores(points: Floats, labels: Labels) -> Floats:
    """Equation 7. With E the SSE of Q and m its size, Σ_j R1(x, Q, x_j) = (m−1)·D(x, μ) − E·(1 + 1/m)."""
    means, size, own = _centroids(points, labels)
    errors, out = np.zeros(size.size), np.zeros(size.size)
    for x in range(labels.size):
        errors[labels[x]] += own[x]
    for x in range(labels.size):
        p = labels[x]
        for q in range(size.size):
            if q != p:
                s = (size[q] - 1) * squared(points, x, means, q) - errors[q] * (1 + 1.0 / size[q])
                out[p] += s
                out[q] -= s
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def complex_heuristic(points: Floats, labels: Labels, k: int, sources: int, least: float) -> bool:
    """Algorithm 4: applies a negative cycle to `labels`; False where there is none."""
    groups_by_score = by_falling(-scores(points, labels))
    for a in range(min(sources, groups_by_score.size)):
        if cyclic_shift(points, labels, k, groups_by_score[a], least):
            return True
    return False


@unchecked
def cyclic_shift(points: Floats, labels: Labels, k: int, s: int, least: float) -> bool:
    """Applies the best negative cycle through group s, over groups ranked by distance from it.

    Nodes 0 .. n−1 are the records, n + p is group p: a path that ends at a group adds without removing, a
    path that goes on from one removes without having added."""
    n = labels.size
    means, size, own = _centroids(points, labels)
    groups = size.size
    away = np.empty(groups)
    for p in range(groups):
        away[p] = -squared(means, p, means, s) if p != s else 1.0
    ranked = by_falling(away)
    offset = np.zeros(groups + 1, np.int64)
    for x in range(n):
        offset[labels[x] + 1] += 1
    for p in range(groups):
        offset[p + 1] += offset[p]
    members, fill = np.empty(n, np.int64), offset[:-1].copy()
    for x in range(n):
        members[fill[labels[x]]] = x
        fill[labels[x]] += 1

    # Paths from all members of G_s, and from G_s itself, at once: an edge is priced once and serves them all.
    starts = offset[s + 1] - offset[s] + 1
    cost = np.empty((n + groups, starts))
    before = np.full((n + groups, starts), -1, np.int32)
    nodes, held = np.empty(n + groups, np.int64), starts
    for a in range(starts):
        nodes[a] = members[offset[s] + a] if a < starts - 1 else n + s
        for b in range(starts):
            cost[nodes[a], b] = 0.0 if a == b else np.inf
    best, end, path = -least, -1, -1
    for r in range(1, groups):
        q = ranked[r]
        reached = held
        for b in range(offset[q], offset[q + 1] + 1):
            v = members[b] if b < offset[q + 1] else n + q
            cost[v] = np.inf
            for c in range(reached):
                u = nodes[c]
                step = _edge(points, means, own, labels, size, k, u, v)
                if step < np.inf:
                    for a in range(starts):
                        if cost[u, a] + step < cost[v, a]:
                            cost[v, a], before[v, a] = cost[u, a] + step, u
            nodes[held] = v
            held += 1
            for a in range(starts):
                if cost[v, a] < np.inf:
                    closed = cost[v, a] + _edge(points, means, own, labels, size, k, v, nodes[a])
                    if closed < best:
                        best, end, path = closed, v, a
    if end < 0:
        return False
    v, to = end, s
    while v >= 0:
        here = labels[v] if v < n else v - n
        if v < n:
            labels[v] = to
        to = here
        v = before[v, path]
    return True


@unchecked
def _edge(points: Floats, means: Floats, own: Floats, labels: Labels, size: Ints, k: int, u: int, v: int) -> float:
    """R1, R2 or R3 (equations 3, 5, 6): what the group of v pays when u replaces v, u is added, or v is
    removed."""
    n = labels.size
    if v < n:
        q = labels[v]
        m = size[q]
        if u < n:
            return squared(points, u, means, q) - own[v] - squared(points, u, points, v) / m
        return -m / (m - 1.0) * own[v] if m > k else np.inf
    q = v - n
    m = size[q]
    if u < n and m < 2 * k - 1:
        return m / (m + 1.0) * squared(points, u, means, q)
    return np.inf
