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
from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.kernels import inlined, unchecked
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels
from discreet.work import thread_count

# Below this many coordinates handing half a scan to another thread (about 0.1 ms) costs more than it saves.
_WORTH_A_THREAD = 4_000_000
_TILE = 256


class Remaining(NamedTuple):
    """The records left: coordinate by coordinate, with their numbers, and the sum of all in two parts."""

    rest: Floats
    ids: Labels
    total: Floats


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


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def mdav_kernel(points: Floats, k: int) -> Labels:
    left = _begin(points)
    labels = np.full(points.shape[0], -1, np.int64)
    _run(left, left.ids.size, left.ids.size, np.int64(0), k, labels)
    return labels


def _mdav_threads(points: Floats, k: int, threads: int) -> Labels:
    left = _begin_large(points)
    rest = left.rest
    labels = np.full(points.shape[0], -1, np.int64)
    d, top = rest.shape
    alive, groups = top, 0
    with ThreadPoolExecutor(threads - 1, thread_name_prefix="discreet-mdav") as executor:

        def scan(center: Floats, seed: int, keep: int) -> tuple[Labels, int]:
            bounds = np.linspace(0, top, threads + 1).astype(np.int64)
            parts = [
                executor.submit(_scan_large, rest, int(lo), int(hi), center, seed, keep)
                for lo, hi in pairwise(bounds[1:])
            ]
            found = [_scan_large(rest, 0, int(bounds[1]), center, seed, keep), *(p.result() for p in parts)]
            return _merge(found, keep)

        while alive >= 3 * k and top * d >= _WORTH_A_THREAD:
            _, seed = scan((left.total[0] + left.total[1]) / alive, -1, 0)
            taken, far = scan(rest[:, seed].copy(), seed, k)
            second = _take_large(left, top, seed, taken, far, labels, groups)
            alive -= len(taken)
            taken, _ = scan(rest[:, second].copy(), second, k)
            _take_large(left, top, -1, taken, -1, labels, groups + 1)
            alive -= len(taken)
            groups += 2
            top = _pack_large(left, top, alive)
    _run_large(left, top, alive, groups, k, labels)
    return labels


def _merge(found: list[tuple[Floats, Labels, float, int]], keep: int) -> tuple[Labels, int]:
    farthest = max(found, key=lambda part: (part[2], -part[3]))[3]
    if keep == 0:
        return found[0][1], farthest
    near = np.concatenate([part[0] for part in found])
    where = np.concatenate([part[1] for part in found])
    return where[np.lexsort((where, near))[:keep]], farthest


@inlined
def _run(left: Remaining, top: int, alive: int, groups: int, k: int, labels: Labels) -> None:
    zero, none = np.int64(0), np.int64(-1)  # not literals: numba would compile the scan twice
    rest = left.rest
    center = np.empty(rest.shape[0])
    while alive >= 2 * k:
        twice = alive >= 3 * k
        for l in range(center.size):
            center[l] = (left.total[0, l] + left.total[1, l]) / alive
        seed = _scan(rest, zero, top, center, none, zero)[3]
        _look_from(rest, seed, center)
        _, taken, _, far = _scan(rest, zero, top, center, seed, k)
        second = _farthest_left(rest, top, center, taken, far) if twice else none
        _take(left, taken, labels, groups)
        groups += 1
        alive -= taken.size
        if twice:
            _look_from(rest, second, center)
            taken = _scan(rest, zero, top, center, second, k)[1]
            _take(left, taken, labels, groups)
            groups += 1
            alive -= taken.size
        top = _pack(left, top, alive)
    for i in range(top):
        if not np.isnan(rest[0, i]):
            labels[left.ids[i]] = groups


@inlined
def _look_from(rest: Floats, i: int, center: Floats) -> None:
    for l in range(center.size):
        center[l] = rest[l, i]


@inlined
def _begin(points: Floats) -> Remaining:
    # The sum is carried in two parts (value and rounding error), so that removals leave no drift.
    n, d = points.shape
    rest = np.empty((d, n))
    ids = np.empty(n, np.int64)
    total = np.zeros((2, d))
    for i in range(n):
        ids[i] = i
        for l in range(d):
            rest[l, i] = points[i, l]
            _accumulate(total, l, points[i, l])
    return Remaining(rest, ids, total)


@inlined
def _accumulate(total: Floats, l: int, x: float) -> None:
    s = total[0, l] + x
    b = s - total[0, l]
    total[1, l] += (total[0, l] - (s - b)) + (x - b)
    total[0, l] = s


@inlined
def _take(left: Remaining, taken: Labels, labels: Labels, group: int) -> None:
    for a in range(taken.size):
        i = taken[a]
        labels[left.ids[i]] = group
        for l in range(left.rest.shape[0]):
            _accumulate(left.total, l, -left.rest[l, i])
        left.rest[0, i] = np.nan


@inlined
def _pack(left: Remaining, top: int, alive: int) -> int:
    if 16 * (top - alive) < top:
        return top
    rest, ids = left.rest, left.ids
    kept = 0
    for i in range(top):
        if not np.isnan(rest[0, i]):
            ids[kept] = ids[i]
            for l in range(1, rest.shape[0]):
                rest[l, kept] = rest[l, i]
            rest[0, kept] = rest[0, i]
            kept += 1
    return kept


@unchecked
def _farthest_left(rest: Floats, top: int, center: Floats, taken: Labels, far: int) -> int:
    """The record farthest from `center` once `taken` is gone; `far` unless it was taken, as among equal
    records."""
    for a in range(taken.size):
        if taken[a] == far:
            break
    else:
        return far
    first = np.empty(taken.size)
    for a in range(taken.size):
        first[a] = rest[0, taken[a]]
        rest[0, taken[a]] = np.nan
    far = _scan(rest, np.int64(0), top, center, np.int64(-1), np.int64(0))[3]
    for a in range(taken.size):
        rest[0, taken[a]] = first[a]
    return far


# The same for Python, where scans are shared out among threads: compiled for large files alone.
@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _scan_large(
    rest: Floats, lo: int, hi: int, center: Floats, seed: int, keep: int
) -> tuple[Floats, Labels, float, int]:
    return _scan(rest, lo, hi, center, seed, keep)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _begin_large(points: Floats) -> Remaining:
    return _begin(points)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _take_large(left: Remaining, top: int, seed: int, taken: Labels, far: int, labels: Labels, group: int) -> int:
    """Take a group away; the record farthest from `seed` after that."""
    second = far
    if seed >= 0:
        second = _farthest_left(left.rest, top, left.rest[:, seed].copy(), taken, far)
    _take(left, taken, labels, group)
    return second


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _pack_large(left: Remaining, top: int, alive: int) -> int:
    return _pack(left, top, alive)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _run_large(left: Remaining, top: int, alive: int, groups: int, k: int, labels: Labels) -> None:
    _run(left, top, alive, groups, k, labels)


@unchecked
def _scan(rest: Floats, lo: int, hi: int, center: Floats, seed: int, keep: int) -> tuple[Floats, Labels, float, int]:
    """The `keep` records of lo .. hi−1 nearest to `center` (their squared distances and positions,
    unordered), then the squared distance and position of the farthest. The record `seed` counts as nearer
    than all others."""
    near, where = np.empty(keep), np.empty(keep, np.int64)
    held: int = np.int64(0)  # type: ignore[assignment]  # not a literal, as above
    best, far = -1.0, -1
    bar = np.inf if keep > 0 else -2.0
    tile = np.empty(_TILE)
    for start in range(lo, hi, _TILE):
        width = min(_TILE, hi - start)
        for i in range(width):
            tile[i] = 0.0
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


@unchecked
def _sift_up(near: Floats, where: Labels, at: int, t: float, i: int) -> None:
    """Heap with the worst (largest distance, then last position) on top."""
    while at > 0:
        up = (at - 1) // 2
        if near[up] > t or (near[up] == t and where[up] > i):
            break
        near[at], where[at] = near[up], where[up]
        at = up
    near[at], where[at] = t, i


@unchecked
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
