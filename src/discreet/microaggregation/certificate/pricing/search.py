"""Depth-first search for the groups of one root and size whose reduced cost is below a limit.

Depth s holds a partial group of s records and the candidates that may still join it, each with its marginal cost

    a_v = Σ_{u∈S} d²_uv/η − λ_v (+ what triples with one member in S charge for a second one).

A node is opened by giving every candidate f_v = a_v + half its t−1 least distances to other candidates, dropping those
that cannot be in a group below the limit, and sorting the rest. Its children take the candidates in that order, each
with the later ones; a node is left when the window of the next t values of f reaches the limit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels import unchecked
from discreet.kernels.least import least_sum
from discreet.kernels.sorting import sort_along
from discreet.microaggregation.certificate.space import Floats, Ints, Space

Longs = NDArray[np.int64]

# Places in Counters.numbers and Counters.values.
HELD, NODES, TRUNCATED, FULL = 0, 1, 2, 3
LIMIT, BOUND = 0, 1


class Penalties(NamedTuple):
    """Cuts with their penalties, listed by record: triples (coefficient 1 of two or more in three), and all others."""

    triples: Ints
    triple_weight: Floats
    triple_start: Ints
    triple_of: Ints
    divisor: Ints
    weight: Floats
    start: Ints
    cut_of: Ints
    numerator: Ints


def no_penalties(n: int) -> Penalties:
    return Penalties(
        np.zeros((0, 3), np.int32),
        np.zeros(0),
        np.zeros(n + 1, np.int32),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
        np.zeros(0),
        np.zeros(n + 1, np.int32),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
    )


class Counters(NamedTuple):
    """What the search changes as it goes: how many members of each cut are chosen, and its tallies."""

    triples: Ints
    cuts: Ints
    numbers: Longs
    values: Floats


class Found(NamedTuple):
    """Where groups go as they are found: rows of members (padded with −1), sizes and reduced costs."""

    members: Ints
    sizes: Ints
    reduced: Floats


class Stack(NamedTuple):
    """The candidates of one root (`ids`, distances over η, neighbors among them), and a row of lists for every depth.

    A candidate takes part at depth s while `level` is at least s.
    """

    ids: Ints
    scaled: Floats
    beside: Ints
    listed: Ints
    cost: Floats
    value: Floats
    rank: Ints
    length: Longs
    position: Longs
    window: Floats
    base: Floats
    level: Ints
    where: Ints
    chosen: Ints
    smallest: Floats


@unchecked
def search(
    space: Space,
    multipliers: Floats,
    local: Ints,
    stack: Stack,
    eta: int,
    keep: int,
    node_limit: int,
    cuts: Penalties,
    counters: Counters,
    found: Found,
    filled: int,
) -> None:
    """Groups below counters.values[LIMIT] go to `found` from row `filled` on; values[BOUND] stays below every group."""
    values, numbers = counters.values, counters.numbers
    s = np.int64(1)  # not a literal: numba would compile everything below twice
    entering = True
    while s >= 1:
        alive = True
        if entering:
            numbers[NODES] += 1
            alive = _open(space, multipliers, stack, s, eta, keep, cuts, counters, found, filled)
        else:
            _leave(stack, s, eta, cuts, counters)
        entering = False
        if numbers[FULL] > 0:
            return
        if alive and stack.position[s] + eta - s <= stack.length[s]:
            floor = stack.base[s] + stack.window[s]
            if floor < values[LIMIT]:
                if numbers[NODES] <= node_limit:
                    _descend(stack, s, local, cuts, counters)
                    s += 1
                    entering = True
                    continue
                numbers[TRUNCATED] = 1
                values[BOUND] = min(values[BOUND], floor)
        s -= 1


@unchecked
def _open(
    space: Space,
    multipliers: Floats,
    stack: Stack,
    s: int,
    eta: int,
    keep: int,
    cuts: Penalties,
    counters: Counters,
    found: Found,
    filled: int,
) -> bool:
    """Bound, filter and sort the candidates of a new node; True where children are to be tried."""
    t = eta - s
    size = stack.length[s]
    limits = counters.values
    if size < t:
        return False
    base, cost, value, rank, listed = stack.base[s], stack.cost[s], stack.value[s], stack.rank[s], stack.listed[s]
    if t == 1:
        for x in range(size):
            if base + cost[x] < limits[LIMIT]:
                stack.chosen[s] = stack.ids[listed[x]]
                _record(space, multipliers, stack.chosen, eta, keep, cuts, counters, s, found, filled)
        return False
    others = stack.beside.shape[1]
    for x in range(size):
        lx = listed[x]
        got = 0
        m = 0.0
        for y in range(others):
            w = stack.beside[lx, y]
            if stack.level[w] >= s:
                m += stack.scaled[lx, w]
                got += 1
                if got == t - 1:
                    break
        value[x] = cost[x] + 0.5 * m
        rank[x] = x
    total = least_sum(value, size, stack.smallest[:t])
    if base + total >= limits[LIMIT]:
        return False
    last = stack.smallest[t - 1]
    fence = limits[LIMIT] - base - total + last
    kept = 0
    for x in range(size):
        if value[x] <= last or value[x] < fence:
            value[kept] = value[x]
            rank[kept] = rank[x]
            kept += 1
        else:
            stack.level[listed[x]] = s - 1
    sort_along(value, rank, kept)
    stack.length[s] = kept
    if t > 2:
        stack.position[s] = 0
        _slide(stack, s, t)
        return True
    for x in range(kept - 1):
        if base + value[x] + value[x + 1] >= limits[LIMIT]:
            break
        lx = listed[rank[x]]
        start = base + cost[rank[x]]
        for y in range(x + 1, kept):
            if base + value[x] + value[y] >= limits[LIMIT]:
                break
            ly = listed[rank[y]]
            if start + cost[rank[y]] + stack.scaled[lx, ly] < limits[LIMIT]:
                stack.chosen[s] = stack.ids[lx]
                stack.chosen[s + 1] = stack.ids[ly]
                _record(space, multipliers, stack.chosen, eta, keep, cuts, counters, s, found, filled)
    return False


@unchecked
def _slide(stack: Stack, s: int, t: int) -> None:
    # Summed afresh: sliding differences would collect rounding errors.
    x = stack.position[s]
    total = 0.0
    if x + t <= stack.length[s]:
        for y in range(x, x + t):
            total += stack.value[s, y]
    stack.window[s] = total


@unchecked
def _descend(stack: Stack, s: int, local: Ints, cuts: Penalties, counters: Counters) -> None:
    """Choose the candidate at the node's position and hand the later ones to depth s + 1."""
    x = stack.position[s]
    px = stack.rank[s, x]
    lx = stack.listed[s, px]
    stack.level[lx] = s - 1
    children = 0
    for y in range(x + 1, stack.length[s]):
        py = stack.rank[s, y]
        ly = stack.listed[s, py]
        stack.listed[s + 1, children] = ly
        stack.cost[s + 1, children] = stack.cost[s, py] + stack.scaled[lx, ly]
        stack.level[ly] = s + 1
        stack.where[ly] = children
        children += 1
    stack.length[s + 1] = children
    v = stack.ids[lx]
    stack.chosen[s] = v
    below = stack.base[s] + stack.cost[s, px]
    for e in range(cuts.triple_start[v], cuts.triple_start[v + 1]):
        T = cuts.triple_of[e]
        had = counters.triples[T]
        counters.triples[T] = had + 1
        if had > 1:
            continue
        half = 0.5 * cuts.triple_weight[T]
        if had == 1:
            below += half
            half = -half
        for b in range(3):
            u = local[cuts.triples[T, b]]
            if u >= 0 and u != lx and stack.level[u] == s + 1:
                stack.cost[s + 1, stack.where[u]] += half
    for e in range(cuts.start[v], cuts.start[v + 1]):
        T = cuts.cut_of[e]
        before = counters.cuts[T] // cuts.divisor[T]
        counters.cuts[T] += cuts.numerator[e]
        below += cuts.weight[T] * (counters.cuts[T] // cuts.divisor[T] - before)
    stack.base[s + 1] = below


@unchecked
def _leave(stack: Stack, s: int, eta: int, cuts: Penalties, counters: Counters) -> None:
    """Undo the choice that depth s had made and move its window on by one."""
    x = stack.position[s]
    v = stack.ids[stack.listed[s, stack.rank[s, x]]]
    for e in range(cuts.triple_start[v], cuts.triple_start[v + 1]):
        counters.triples[cuts.triple_of[e]] -= 1
    for e in range(cuts.start[v], cuts.start[v + 1]):
        counters.cuts[cuts.cut_of[e]] -= cuts.numerator[e]
    for y in range(x + 1, stack.length[s]):
        stack.level[stack.listed[s, stack.rank[s, y]]] = s
    stack.position[s] = x + 1
    _slide(stack, s, eta - s)


@unchecked
def _record(
    space: Space,
    multipliers: Floats,
    chosen: Ints,
    eta: int,
    keep: int,
    cuts: Penalties,
    counters: Counters,
    s: int,
    found: Found,
    filled: int,
) -> None:
    """Evaluate a whole group from scratch and keep it if it is below the limit (and among the `keep` best)."""
    rc = _reduced_cost(space.distance, multipliers, chosen, eta, cuts, counters.triples, counters.cuts, s)
    values, numbers = counters.values, counters.numbers
    if rc >= values[LIMIT]:
        return
    values[BOUND] = min(values[BOUND], rc)
    held = numbers[HELD]
    at = filled + held
    if keep > 0 and held == keep:
        at = filled
        for h in range(filled + 1, filled + held):
            if found.reduced[h] > found.reduced[at]:
                at = h
    elif at < found.sizes.size:
        numbers[HELD] = held + 1
    else:
        numbers[FULL] = 1
        return
    found.reduced[at] = rc
    found.sizes[at] = eta
    for a in range(found.members.shape[1]):
        found.members[at, a] = chosen[a] if a < eta else -1
    if keep > 0 and numbers[HELD] == keep:
        worst = found.reduced[filled]
        for h in range(filled + 1, filled + keep):
            worst = max(worst, found.reduced[h])
        values[LIMIT] = min(values[LIMIT], worst)


@unchecked
def _reduced_cost(
    distance: Floats,
    multipliers: Floats,
    chosen: Ints,
    eta: int,
    cuts: Penalties,
    triple_count: Ints,
    cut_count: Ints,
    s: int,
) -> float:
    """The reduced cost of a whole group; the counters hold its first s members."""
    total = 0.0
    for a in range(eta):
        for b in range(a):
            total += distance[chosen[a], chosen[b]]
    total /= eta
    for a in range(eta):
        total -= multipliers[chosen[a]]
    penalty = 0.0
    for a in range(eta):
        v = chosen[a]
        for e in range(cuts.triple_start[v], cuts.triple_start[v + 1]):
            T = cuts.triple_of[e]
            if a >= s:
                triple_count[T] += 1
        for e in range(cuts.start[v], cuts.start[v + 1]):
            if a >= s:
                cut_count[cuts.cut_of[e]] += cuts.numerator[e]
    # A cut is charged once: at the member that first lists it, recognized by clearing it after charging.
    for a in range(eta):
        v = chosen[a]
        for e in range(cuts.triple_start[v], cuts.triple_start[v + 1]):
            T = cuts.triple_of[e]
            if triple_count[T] >= 2:
                penalty += cuts.triple_weight[T]
                triple_count[T] = -triple_count[T]
        for e in range(cuts.start[v], cuts.start[v + 1]):
            T = cuts.cut_of[e]
            if cut_count[T] > 0:
                penalty += cuts.weight[T] * (cut_count[T] // cuts.divisor[T])
                cut_count[T] = -cut_count[T]
    for a in range(eta):
        v = chosen[a]
        for e in range(cuts.triple_start[v], cuts.triple_start[v + 1]):
            T = cuts.triple_of[e]
            if triple_count[T] < 0:
                triple_count[T] = -triple_count[T]
        for e in range(cuts.start[v], cuts.start[v + 1]):
            T = cuts.cut_of[e]
            if cut_count[T] < 0:
                cut_count[T] = -cut_count[T]
    for a in range(s, eta):
        v = chosen[a]
        for e in range(cuts.triple_start[v], cuts.triple_start[v + 1]):
            triple_count[cuts.triple_of[e]] -= 1
        for e in range(cuts.start[v], cuts.start[v + 1]):
            cut_count[cuts.cut_of[e]] -= cuts.numerator[e]
    return total + penalty
