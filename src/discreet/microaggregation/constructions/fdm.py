"""FDM: fast data-oriented microaggregation, for many k in one run (Mortazavi and Jalili, 2014).

One short tour through all records does not depend on k. It is made once for a list of k, and cut optimally for each
(`path_cut.cut_tour`).

The paper was at hand in the words of others only: one path, several successive k from it, O(n² log n). A tour
that costs as much is the greedy one: pairs of records by rising distance, each an edge of the tour if both
records still lack one and the edge closes no circle. It is then made 2-optimal within lists of near records:
two edges (x, y) and (z, w) become (x, z) and (y, w) while that makes the tour shorter. As |xz| < |xy| or
|yw| < |zw| must hold then, near records of the four ends suffice to find every such exchange.

The greedy tour is found without sorting all pairs: every end of a fragment proposes its shortest edge, and a
heap gives the shortest of all; a proposal that has become impossible is renewed when it comes up, from the list
of near records or, once that is used up, from all ends that are left.
"""

from __future__ import annotations

import heapq

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.kernels.distance import between
from discreet.microaggregation.constructions.remaining import drop_labeled
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.path_cut import cut_tour
from discreet.microaggregation.problem import Floats, Labels
from discreet.solvers.neighbours import Indices, nearest

NEAR = 32


def run(call: Call) -> Outcome:
    points, k = call.problem
    tour = call.shared.once("short tour", lambda: short_tour(points))
    return Outcome(cut_tour(points, tour, k)[0], "fdm")


def short_tour(points: Floats) -> Labels:
    if len(points) < 4:
        # All tours are the same.
        return np.arange(len(points))
    near = nearest(points, NEAR)[0]
    return two_optimal(points, near, greedy_tour(points, near))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def greedy_tour(points: Floats, near: Indices) -> Labels:
    """Every pair by rising distance, an edge where it can be one. Ties go to the pair whose first, then
    second, record comes first. `near` holds near records by rising distance, as many as there are."""
    n = points.shape[0]
    link, degree = np.full((n, 2), -1, np.int64), np.zeros(n, np.int64)
    # The other end of the fragment, at its ends.
    end = np.arange(n)
    tried = np.zeros(n, np.int64)
    # The ends of fragments; `inside` is −1 at ends, so that those inside can be dropped.
    ends, alive, inside = np.arange(n), n, np.full(n, -1, np.int64)
    heap = [_shortest_edge(points, near, x, end, degree, tried, ends, alive) for x in range(n)]
    heapq.heapify(heap)
    edges = 0
    while edges < n - 1:
        _, lo, hi, x = heapq.heappop(heap)
        y = lo + hi - x
        if degree[x] == 2:
            continue
        if degree[y] < 2 and end[x] != y:
            link[x, degree[x]], link[y, degree[y]] = y, x
            degree[x] += 1
            degree[y] += 1
            for z in (x, y):
                if degree[z] == 2:
                    inside[z] = 0
            a, b = end[x], end[y]
            end[a], end[b] = b, a
            edges += 1
        if degree[x] < 2 and edges < n - 1:
            if tried[x] == near.shape[1]:
                alive = drop_labeled(ends, alive, inside)
            heapq.heappush(heap, _shortest_edge(points, near, x, end, degree, tried, ends, alive))
    tour = np.empty(n, np.int64)
    at, before = 0, -1
    while degree[at] == 2:
        at += 1
    for i in range(n):
        tour[i] = at
        after = link[at, 0] if link[at, 0] != before else link[at, 1]
        before, at = at, after
    return tour


@unchecked
def _shortest_edge(
    points: Floats,
    near: Indices,
    x: int,
    end: Labels,
    degree: Labels,
    tried: Labels,
    ends: Labels,
    alive: int,
) -> tuple[float, int, int, int]:
    """The shortest edge that the end x can still get: squared length, its two records in order, and x."""
    while tried[x] < near.shape[1]:
        y = int(near[x, tried[x]])
        # What cannot be joined now never can: fragments only grow.
        if degree[y] < 2 and end[x] != y:
            return between(points[x], points[y]), min(x, y), max(x, y), x
        tried[x] += 1
    best, chosen = np.inf, -1
    for a in range(alive):
        y = ends[a]
        if y != x and degree[y] < 2 and end[x] != y:
            t = between(points[x], points[y])
            if t < best:
                best, chosen = t, y
    return best, min(x, chosen), max(x, chosen), x


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def two_optimal(points: Floats, near: Indices, tour: Labels) -> Labels:
    """The tour after exchanges of two edges, until none within the lists makes it shorter."""
    n = tour.size
    tour, place = tour.copy(), np.empty(n, np.int64)
    for i in range(n):
        place[tour[i]] = i
    again = True
    while again:
        again = False
        for x in range(n):
            for step in (1, -1):
                y = tour[(place[x] + step) % n]
                xy = np.sqrt(between(points[x], points[y]))
                for z in near[x]:
                    xz = np.sqrt(between(points[x], points[z]))
                    if xz >= xy:
                        break
                    w = tour[(place[z] + step) % n]
                    zw = np.sqrt(between(points[z], points[w]))
                    yw = np.sqrt(between(points[y], points[w]))
                    # A hair of slack: rounding must not make it go around in circles.
                    if xz + yw < (xy + zw) * (1 - 1e-12):
                        if step == 1:
                            _reverse(tour, place, place[y], place[z])
                        else:
                            _reverse(tour, place, place[x], place[w])
                        again = True
                        break
    return tour


@unchecked
def _reverse(tour: Labels, place: Labels, i: int, j: int) -> None:
    """Turn around the places i .. j, past the end of the tour if need be, or all others: the tour is the same."""
    n = tour.size
    length = (j - i) % n + 1
    if 2 * length > n:
        i, j, length = j + 1, i - 1, n - length
    for _ in range(length // 2):
        a, b = i % n, j % n
        tour[a], tour[b] = tour[b], tour[a]
        place[tour[a]], place[tour[b]] = a, b
        i += 1
        j -= 1
