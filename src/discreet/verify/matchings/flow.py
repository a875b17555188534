"""A flow of degree k between boxes and originals, and the edges that lie in some perfect matching.

Boxes and originals are classes of equal ones, with numbers m. A flow sends k·m units out of each box, k·m into each
original, at most m_b·m_o along an edge. Spread evenly over the members of the classes it is a fractional k-regular
graph; the flow problem is integral, so a k-regular graph between single records exists, and a k-regular bipartite
graph is the union of k disjoint perfect matchings (König). Hence: full flow ⇔ k disjoint perfect matchings.

Method: a greedy start, then phases of shortest augmenting paths (Dinic 1970; Hopcroft, Karp 1973).

An edge lies in some perfect matching iff it carries flow or lies on a cycle of the residual graph of flow/k, that is,
joins two nodes of one strongly connected component (every edge forward, those with flow backward).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Small = NDArray[np.int32]


class Graph(NamedTuple):
    """Edges by box (`ends`, `original`), and by original (`back_ends`, `back_edge`, with `box` of each edge)."""

    ends: Integers
    original: Small
    box: Small
    back_ends: Integers
    back_edge: Small
    boxes: Integers
    originals: Integers


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def graph(counts: Integers, original: Small, boxes: Integers, originals: Integers) -> Graph:
    b, o, e = boxes.shape[0], originals.shape[0], original.shape[0]
    ends, back_ends = np.empty(b + 1, np.int64), np.empty(o + 1, np.int64)
    ends[0] = 0
    for i in range(b):
        ends[i + 1] = ends[i] + counts[i]
    for j in range(o + 1):
        back_ends[j] = 0
    box = np.empty(e, np.int32)
    for i in range(b):
        for q in range(ends[i], ends[i + 1]):
            box[q] = i
            back_ends[original[q] + 1] += 1
    for j in range(o):
        back_ends[j + 1] += back_ends[j]
    place = np.empty(o, np.int64)
    for j in range(o):
        place[j] = back_ends[j]
    back_edge = np.empty(e, np.int32)
    for q in range(e):
        back_edge[place[original[q]]] = q
        place[original[q]] += 1
    return Graph(ends, original, box, back_ends, back_edge, boxes, originals)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _start(g: Graph, flow: Small, supply: Integers, demand: Integers) -> None:
    """Boxes with few originals first, originals with few boxes first."""
    b, o = g.boxes.shape[0], g.originals.shape[0]
    options = np.empty(o, np.int64)
    for j in range(o):
        options[j] = 0
    for q in range(g.original.shape[0]):
        options[g.original[q]] += g.boxes[g.box[q]]
    most = 0
    for i in range(b):
        most = max(most, g.ends[i + 1] - g.ends[i])
    place = np.empty(most + 2, np.int64)
    for degree in range(most + 2):
        place[degree] = 0
    for i in range(b):
        place[g.ends[i + 1] - g.ends[i] + 1] += 1
    for degree in range(most + 1):
        place[degree + 1] += place[degree]
    order = np.empty(b, np.int64)
    for c in range(b):
        edges = g.ends[c + 1] - g.ends[c]
        order[place[edges]] = c
        place[edges] += 1
    for x in order:
        while supply[x] > 0:
            best, least = -1, np.inf
            for q in range(g.ends[x], g.ends[x + 1]):
                j = g.original[q]
                if demand[j] > 0 and flow[q] < g.boxes[x] * g.originals[j] and options[j] < least * demand[j]:
                    best, least = q, options[j] / demand[j]
            if best < 0:
                break
            j = g.original[best]
            amount = min(supply[x], demand[j], g.boxes[x] * g.originals[j] - flow[best])
            flow[best] += amount
            supply[x] -= amount
            demand[j] -= amount
        for q in range(g.ends[x], g.ends[x + 1]):
            options[g.original[q]] -= g.boxes[x]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _levels(g: Graph, flow: Small, supply: Integers, demand: Integers, level: Small, queue: Small) -> bool:
    """Distances from boxes with supply (boxes first, then originals); whether an original with demand is reached."""
    b = g.boxes.shape[0]
    level[:] = -1
    head, tail, reached = 0, 0, np.int32(1 << 30)
    for i in range(b):
        if supply[i] > 0:
            level[i] = 0
            queue[tail] = i
            tail += 1
    while head < tail:
        x = queue[head]
        head += 1
        if level[x] >= reached:
            break
        if x < b:
            for q in range(g.ends[x], g.ends[x + 1]):
                j = g.original[q]
                if level[b + j] < 0 and flow[q] < g.boxes[x] * g.originals[j]:
                    level[b + j] = level[x] + 1
                    queue[tail] = b + j
                    tail += 1
                    if demand[j] > 0:
                        reached = level[b + j]
        else:
            for p in range(g.back_ends[x - b], g.back_ends[x - b + 1]):
                q = g.back_edge[p]
                i = g.box[q]
                if flow[q] > 0 and level[i] < 0:
                    level[i] = level[x] + 1
                    queue[tail] = i
                    tail += 1
    return bool(reached < (1 << 30))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _push(g: Graph, flow: Small, supply: Integers, demand: Integers, level: Small, at: Integers) -> int:
    """Send units along shortest paths until every path of this length is blocked; how many were sent."""
    b, o = g.boxes.shape[0], g.originals.shape[0]
    for i in range(b):
        at[i] = g.ends[i]
    for j in range(o):
        at[b + j] = g.back_ends[j]
    trail = np.empty(b + o, np.int64)
    sent = 0
    for source in range(b):
        while supply[source] > 0:
            x, depth = source, 0
            arrived = False
            while True:
                if x < b:
                    advanced = False
                    while at[x] < g.ends[x + 1]:
                        q = at[x]
                        j = g.original[q]
                        if level[b + j] == level[x] + 1 and flow[q] < g.boxes[x] * g.originals[j]:
                            trail[depth] = q
                            depth += 1
                            x = b + j
                            advanced = True
                            break
                        at[x] += 1
                    if not advanced:
                        level[x] = -2
                        if depth == 0:
                            break
                        depth -= 1
                        x = b + g.original[trail[depth]]
                        at[x] += 1
                else:
                    if demand[x - b] > 0:
                        arrived = True
                        break
                    advanced = False
                    while at[x] < g.back_ends[x - b + 1]:
                        q = g.back_edge[at[x]]
                        if flow[q] > 0 and level[g.box[q]] == level[x] + 1:
                            trail[depth] = q
                            depth += 1
                            x = g.box[q]
                            advanced = True
                            break
                        at[x] += 1
                    if not advanced:
                        level[x] = -2
                        depth -= 1
                        x = g.box[trail[depth]]
                        at[x] += 1
            if not arrived:
                break
            amount = min(supply[source], demand[x - b])
            for p in range(depth):
                q = trail[p]
                spare = g.boxes[g.box[q]] * g.originals[g.original[q]] - flow[q] if p % 2 == 0 else flow[q]
                amount = min(amount, spare)
            for p in range(depth):
                flow[trail[p]] += amount if p % 2 == 0 else -amount
            supply[source] -= amount
            demand[x - b] -= amount
            sent += amount
    return sent


def k_flow(g: Graph, k: int) -> tuple[Any, int]:
    """A maximum flow with degrees k, and how many units are missing."""
    nodes = g.boxes.size + g.originals.size
    # One edge may carry all that its classes have: large classes and a large k leave 32 bits.
    most = k * max(int(g.boxes.max(initial=0)), int(g.originals.max(initial=0)))
    flow = np.zeros(g.original.size, np.int32 if most < 2**31 else np.int64)
    supply, demand = k * g.boxes, k * g.originals
    _start(g, flow, supply, demand)
    level, queue, at = np.empty(nodes, np.int32), np.empty(nodes, np.int32), np.empty(nodes, np.int64)
    while _levels(g, flow, supply, demand, level, queue):
        if _push(g, flow, supply, demand, level, at) == 0:
            break
    return flow, int(demand.sum())


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def strong_components(g: Graph, flow: Small) -> Small:
    """The strongly connected component of each box and original (Tarjan 1972, without recursion)."""
    b, o = g.boxes.shape[0], g.originals.shape[0]
    n = b + o
    number, lowest, component = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    for x in range(n):
        number[x] = component[x] = -1
    at = np.empty(n, np.int64)
    path, call = np.empty(n, np.int32), np.empty(n, np.int32)
    clock, on_path, groups = 0, 0, 0
    for root in range(n):
        if number[root] >= 0:
            continue
        call[0] = root
        depth = 1
        while depth > 0:
            x = call[depth - 1]
            if number[x] < 0:
                number[x] = lowest[x] = clock
                clock += 1
                path[on_path] = x
                on_path += 1
                at[x] = g.ends[x] if x < b else g.back_ends[x - b]
            descended = False
            stop = g.ends[x + 1] if x < b else g.back_ends[x - b + 1]
            while at[x] < stop:
                if x < b:
                    y = b + g.original[at[x]]
                else:
                    q = g.back_edge[at[x]]
                    y = g.box[q] if flow[q] > 0 else -1
                if y >= 0:
                    if number[y] < 0:
                        call[depth] = y
                        depth += 1
                        descended = True
                        break
                    if component[y] < 0:
                        lowest[x] = min(lowest[x], lowest[y])
                at[x] += 1
            if descended:
                continue
            depth -= 1
            if lowest[x] == number[x]:
                while True:
                    on_path -= 1
                    y = path[on_path]
                    component[y] = groups
                    if y == x:
                        break
                groups += 1
    return component


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def candidates(g: Graph, flow: Small, component: Small) -> Integers:
    """For each original, the number of published records joined to it by an edge of some perfect matching."""
    b, o = g.boxes.shape[0], g.originals.shape[0]
    out = np.empty(o, np.int64)
    for j in range(o):
        out[j] = 0
        for p in range(g.back_ends[j], g.back_ends[j + 1]):
            q = g.back_edge[p]
            if flow[q] > 0 or component[g.box[q]] == component[b + j]:
                out[j] += g.boxes[g.box[q]]
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def distinct_values(
    g: Graph, flow: Small, component: Small, value_ends: Integers, values: Integers, kinds: int, enough: int
) -> Integers:
    """For each original, how many distinct sensitive values its candidates carry, counted up to `enough`."""
    b, o = g.boxes.shape[0], g.originals.shape[0]
    seen = np.full(kinds, -1, np.int64)
    out = np.zeros(o, np.int64)
    for j in range(o):
        for p in range(g.back_ends[j], g.back_ends[j + 1]):
            q = g.back_edge[p]
            i = g.box[q]
            if out[j] >= enough or not (flow[q] > 0 or component[i] == component[b + j]):
                continue
            for z in range(value_ends[i], value_ends[i + 1]):
                if seen[values[z]] != j:
                    seen[values[z]] = j
                    out[j] += 1
    return out
