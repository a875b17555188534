"""Some tuples are free, all others stay where they are: the cheapest way to publish the free ones, by HiGHS.

x_{t,q} records of a free tuple t publish pattern q; o_q says whether a pattern that nobody else uses is open. With L_q
records of others at q:

    minimize Σ c_q x_{t,q}     Σ_q x_{t,q} = n_t
    L_q = 0       x_{t,q} ≤ n_t o_q,   k o_q ≤ Σ_t x_{t,q}
    0 < L_q < k   Σ_t x_{t,q} ≥ k − L_q
    L_q ≥ k       no condition

With all tuples free this is the whole problem. Patterns whose opening value is high are left out; the present solution
is where the search starts, so the answer is never dearer.
"""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.mip import Tuning, solve_mip
from discreet.suppression.patterns import Patterns

Codes = NDArray[np.int64]
Places = NDArray[np.int32]
Flags = NDArray[np.bool_]


class Answer(NamedTuple):
    """The places of the free tuples that may be in use, the records at each, what this saves, and whether it is all.

    `steps` are those of the simplex method: how hard it was.
    """

    places: Codes
    records: Places
    saved: int
    exhausted: bool
    steps: int


class Choice(NamedTuple):
    """Places that free tuples may use: which, of which tuple (by its position among the free) and in which pattern."""

    places: Codes
    free: Codes
    pattern: Codes


def reassign(
    patterns: Patterns,
    size: Codes,
    k: int,
    records: Places,
    outside: Codes,
    allowed: Flags,
    free: Codes,
    nodes: int,
    seconds: float,
) -> Answer:
    """Publish the free tuples anew; `outside` is the load of each pattern by all others."""
    choice = _choice(patterns, size, k, records, outside, allowed, free)
    now = records[choice.places]
    cost = patterns.cost[choice.pattern]
    before = int(cost @ now)
    empty = outside[choice.pattern] == 0
    opened, door = np.unique(choice.pattern[empty], return_inverse=True)
    forced = (outside[choice.pattern] > 0) & (outside[choice.pattern] < k)
    held, hold = np.unique(choice.pattern[forced], return_inverse=True)
    x, o = choice.places.size, opened.size
    at, links = np.flatnonzero(empty), int(empty.sum())
    own = size[free][choice.free].astype(np.float64)
    rows = np.concatenate([choice.free, free.size + np.tile(np.arange(links), 2)])
    columns = np.concatenate([np.arange(x), at, x + door])
    values = np.concatenate([np.ones(x), np.ones(links), -own[at]])
    below = free.size + links
    rows = np.concatenate([rows, below + door, below + np.arange(o), below + o + hold])
    columns = np.concatenate([columns, at, x + np.arange(o), np.flatnonzero(forced)])
    values = np.concatenate([values, np.ones(links), np.full(o, -float(k)), np.ones(int(forced.sum()))])
    matrix = sp.csc_matrix((values, (rows, columns)), shape=(below + o + held.size, x + o))
    given = size[free].astype(np.float64)
    least = np.concatenate([given, np.full(links, -np.inf), np.zeros(o), (k - outside[held]).astype(np.float64)])
    most = np.concatenate([given, np.zeros(links), np.full(o + held.size, np.inf)])
    start = np.concatenate([now.astype(np.float64), np.bincount(door, now[at], o) > 0])
    found = solve_mip(
        np.concatenate([cost.astype(np.float64), np.zeros(o)]),
        matrix,
        least,
        most,
        upper=np.concatenate([own, np.ones(o)]),
        start=start,
        node_limit=nodes,
        time_limit=seconds if isfinite(seconds) else None,
        tuning=Tuning(absolute_gap=0.999),
    )
    after = now if found.x is None else np.rint(found.x[:x]).astype(np.int32)
    saved = before - int(cost @ after)
    if saved <= 0 or not _valid(choice, after, size[free], outside, k, patterns.cost.size):
        after, saved = now, 0
    return Answer(choice.places, after, saved, found.status == "optimal", found.steps)


def _choice(
    patterns: Patterns, size: Codes, k: int, records: Places, outside: Codes, allowed: Flags, free: Codes
) -> Choice:
    """Places in use, and those that could be of use: no dearer than a pattern that stands anyway."""
    length = patterns.first[free + 1] - patterns.first[free]
    owner = np.repeat(np.arange(free.size), length)
    places = np.arange(length.sum()) + np.repeat(patterns.first[free] - np.cumsum(length) + length, length)
    pattern = patterns.pattern[places].astype(np.int64)
    cost, load, used = patterns.cost[pattern], outside[pattern], records[places] > 0
    standing = load >= k
    # Places come cheapest first, so the first that stands is the cheapest.
    at = np.flatnonzero(standing)
    first = np.full(free.size, -1, np.int64)
    first[owner[at[::-1]]] = at[::-1]
    limit = np.where(first >= 0, cost[first], np.iinfo(np.int64).max)[owner]
    keep = allowed[pattern] & ~standing & ((cost <= limit) | ((load > 0) & (load < k)))
    keep |= used
    keep[first[first >= 0]] = True
    while True:
        reach = np.bincount(pattern[keep], size[free][owner[keep]], patterns.cost.size) + outside
        short = keep & (reach[pattern] < k)
        if not short.any():
            break
        keep &= ~short
    return Choice(places[keep], owner[keep], pattern[keep])


def _valid(choice: Choice, after: Places, size: Codes, outside: Codes, k: int, count: int) -> bool:
    """Whether what the solver says, rounded, is a solution."""
    load = np.bincount(choice.pattern, after, count) + outside
    total = np.bincount(choice.free, after, size.size)
    return bool((after >= 0).all() and ((load == 0) | (load >= k)).all() and (total == size).all())
