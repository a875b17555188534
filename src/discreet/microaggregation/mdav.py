"""MDAV: maximum distance to average vector (Domingo-Ferrer and Torra, 2005).

While at least 3k records remain: r is the record farthest from their centroid; r and its k−1 nearest form a
group; s is the record farthest from r among the rest; s and its k−1 nearest form a group. If 2k or more
remain then, the record farthest from the centroid and its k−1 nearest form one more. What is left, k .. 2k−1
records, is the last group.

Ties go to the record that comes first. The remaining records lie transposed and packed, in their original
order, so that each of the 3n/2k scans streams through memory once and adds up many distances at a time. A
scan of a range returns its k nearest and its farthest record, and ranges merge by (distance, position): any
number of threads yields the same groups. A record that was taken gets NaN for its first coordinate, which
loses every comparison; the rest is packed anew when a sixteenth has gone.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numba import njit

from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels
from discreet.work import thread_count

# Below this many coordinates handing half a scan to another thread (about 0.1 ms) costs more than it saves.
_WORTH_A_THREAD = 4_000_000
_TILE = 256


def run(call: Call) -> Outcome:
    points, k = call.problem
    return Outcome(mdav(points, k), "mdav")


def mdav(points: Floats, k: int, *, threads: int | None = None) -> Labels:
    """Labels of the MDAV partition; `threads` None uses all cores where the data is large enough."""
    n, d = points.shape
    threads = thread_count() if threads is None else threads
    if threads > 1 and n * d >= _WORTH_A_THREAD:
        return _mdav_threads(points, k, threads)
    return mdav_kernel(points, k)


@njit(cache=True, nogil=True)
def mdav_kernel(points: Floats, k: int) -> Labels:
    rest, ids, total = _begin(points)
    labels = np.full(points.shape[0], -1, np.int64)
    _run(rest, ids, total, ids.size, ids.size, 0, k, labels)
    return labels


def _mdav_threads(points: Floats, k: int, threads: int) -> Labels:
    rest, ids, total = _begin(points)
    labels = np.full(points.shape[0], -1, np.int64)
    d, top = rest.shape
    alive, groups = top, 0
    with ThreadPoolExecutor(threads - 1, thread_name_prefix="discreet-mdav") as pool:

        def scan(center: Floats, seed: int, keep: int) -> tuple[Labels, int]:
            bounds = np.linspace(0, top, threads + 1).astype(np.int64)
            parts = [
                pool.submit(scan_range, rest, int(lo), int(hi), center, seed, keep) for lo, hi in pairwise(bounds[1:])
            ]
            found = [scan_range(rest, 0, int(bounds[1]), center, seed, keep), *(p.result() for p in parts)]
            return _merge(found, keep)

        while alive >= 3 * k and top * d >= _WORTH_A_THREAD:
            _, seed = scan(_center(total, alive), -1, 0)
            taken, far = scan(rest[:, seed].copy(), seed, k)
            second = _farthest_left(rest, top, seed, taken, far)
            alive = _take(rest, ids, total, alive, taken, labels, groups)
            taken, _ = scan(rest[:, second].copy(), second, k)
            alive = _take(rest, ids, total, alive, taken, labels, groups + 1)
            groups += 2
            top = _pack(rest, ids, top, alive)
    _run(rest, ids, total, top, alive, groups, k, labels)
    return labels


def _merge(found: list[tuple[Floats, Labels, float, int]], keep: int) -> tuple[Labels, int]:
    farthest = max(found, key=lambda part: (part[2], -part[3]))[3]
    if keep == 0:
        return found[0][1], farthest
    near = np.concatenate([part[0] for part in found])
    where = np.concatenate([part[1] for part in found])
    return where[np.lexsort((where, near))[:keep]], farthest


@njit(cache=True, nogil=True)
def _run(rest: Floats, ids: Labels, total: Floats, top: int, alive: int, groups: int, k: int, labels: Labels) -> None:
    zero, none = np.int64(0), np.int64(-1)  # not literals: numba would compile the scan twice
    while alive >= 2 * k:
        twice = alive >= 3 * k
        seed = scan_range(rest, zero, top, _center(total, alive), none, zero)[3]
        _, taken, _, far = scan_range(rest, zero, top, rest[:, seed].copy(), seed, k)
        second = _farthest_left(rest, top, seed, taken, far) if twice else -1
        alive = _take(rest, ids, total, alive, taken, labels, groups)
        groups += 1
        if twice:
            taken = scan_range(rest, zero, top, rest[:, second].copy(), second, k)[1]
            alive = _take(rest, ids, total, alive, taken, labels, groups)
            groups += 1
        top = _pack(rest, ids, top, alive)
    for i in range(top):
        if not np.isnan(rest[0, i]):
            labels[ids[i]] = groups


@njit(cache=True, nogil=True)
def _begin(points: Floats) -> tuple[Floats, Labels, Floats]:
    # The sum is carried in two parts (value and rounding error), so that removals leave no drift.
    n, d = points.shape
    rest = np.empty((d, n))
    total = np.zeros((2, d))
    for i in range(n):
        for l in range(d):
            rest[l, i] = points[i, l]
            _accumulate(total, l, points[i, l])
    return rest, np.arange(n), total


@njit(cache=True, nogil=True)
def _accumulate(total: Floats, l: int, x: float) -> None:
    s = total[0, l] + x
    b = s - total[0, l]
    total[1, l] += (total[0, l] - (s - b)) + (x - b)
    total[0, l] = s


@njit(cache=True, nogil=True)
def _center(total: Floats, alive: int) -> Floats:
    center: Floats = (total[0] + total[1]) / alive
    return center


@njit(cache=True, nogil=True)
def _take(rest: Floats, ids: Labels, total: Floats, alive: int, taken: Labels, labels: Labels, group: int) -> int:
    for i in taken:
        labels[ids[i]] = group
        for l in range(rest.shape[0]):
            _accumulate(total, l, -rest[l, i])
        rest[0, i] = np.nan
    return alive - taken.size


@njit(cache=True, nogil=True)
def _pack(rest: Floats, ids: Labels, top: int, alive: int) -> int:
    if 16 * (top - alive) < top:
        return top
    kept = 0
    for i in range(top):
        if not np.isnan(rest[0, i]):
            ids[kept] = ids[i]
            for l in range(1, rest.shape[0]):
                rest[l, kept] = rest[l, i]
            rest[0, kept] = rest[0, i]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def _farthest_left(rest: Floats, top: int, seed: int, taken: Labels, far: int) -> int:
    """The record farthest from `seed` once `taken` is gone; `far` unless it was taken, as among equal
    records."""
    for i in taken:
        if i == far:
            break
    else:
        return far
    first = rest[0, taken].copy()
    center = rest[:, seed].copy()
    for i in taken:
        rest[0, i] = np.nan
    far = scan_range(rest, np.int64(0), top, center, np.int64(-1), np.int64(0))[3]
    for a in range(taken.size):
        rest[0, taken[a]] = first[a]
    return far


@njit(cache=True, nogil=True)
def scan_range(
    rest: Floats, lo: int, hi: int, center: Floats, seed: int, keep: int
) -> tuple[Floats, Labels, float, int]:
    """The `keep` records of lo .. hi−1 nearest to `center` (their squared distances and positions,
    unordered), then the squared distance and position of the farthest. The record `seed` counts as nearer
    than all others."""
    near, where = np.empty(keep), np.empty(keep, np.int64)
    held = 0
    best, far = -1.0, -1
    bar = np.inf if keep > 0 else -2.0
    tile = np.empty(_TILE)
    for start in range(lo, hi, _TILE):
        width = min(_TILE, hi - start)
        tile[:width] = 0.0
        for l in range(rest.shape[0]):
            c = center[l]
            row = rest[l, start : start + width]
            for i in range(width):
                t = row[i] - c
                tile[i] += t * t
        for i in range(width):
            t = tile[i]
            if t > best:
                best, far = t, start + i
            if t < bar or start + i == seed:
                if start + i == seed:
                    t = -1.0
                if held < keep:
                    _sift_up(near, where, held, t, start + i)
                    held += 1
                else:
                    _sift_down(near, where, held, t, start + i)
                if held == keep:
                    bar = near[0]
    return near[:held], where[:held], best, far


@njit(cache=True, nogil=True)
def _sift_up(near: Floats, where: Labels, at: int, t: float, i: int) -> None:
    """Heap with the worst (largest distance, then last position) on top."""
    while at > 0:
        up = (at - 1) // 2
        if near[up] > t or (near[up] == t and where[up] > i):
            break
        near[at], where[at] = near[up], where[up]
        at = up
    near[at], where[at] = t, i


@njit(cache=True, nogil=True)
def _sift_down(near: Floats, where: Labels, held: int, t: float, i: int) -> None:
    at = 0
    while 2 * at + 1 < held:
        down = 2 * at + 1
        if down + 1 < held and (
            near[down + 1] > near[down] or (near[down + 1] == near[down] and where[down + 1] > where[down])
        ):
            down += 1
        if t > near[down] or (t == near[down] and i > where[down]):
            break
        near[at], where[at] = near[down], where[down]
        at = down
    near[at], where[at] = t, i
