"""One pricing pass over all roots, on several threads: groups of small reduced cost, and what every root owes at most.

The values of the roots, with the multipliers, prove a lower bound (`bound`). What the pass leaves out it credits
nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microaggregation.certificate.pricing.roots import Asked, Flag, price_roots
from discreet.microaggregation.certificate.pricing.search import Penalties, no_penalties
from discreet.microaggregation.certificate.space import Floats, Ints, Space
from discreet.scale import ordered_map
from discreet.work import Deadline

NO_LIMIT = 1 << 60


class Sweep(NamedTuple):
    """Groups found, the certified value of every root (by record), and how much of the work was done."""

    members: Ints
    sizes: Ints
    reduced: Floats
    roots: Floats
    complete: NDArray[np.bool_]
    nodes: int
    overflow: bool


def sweep(
    space: Space,
    multipliers: Floats,
    k: int,
    threshold: Floats | float,
    *,
    keep: int = 2,
    node_limit: int = NO_LIMIT,
    cap: int = 0,
    max_columns: int = NO_LIMIT,
    penalties: Penalties | None = None,
    executor: Executor | None = None,
    deadline: Deadline | None = None,
    sizes: tuple[int, int] | None = None,
) -> Sweep:
    """Price all roots. What the deadline leaves out is credited nothing (−inf): the pass then proves no bound."""
    n = multipliers.size
    least, most = sizes or (k, min(2 * k - 1, n))
    asked = Asked(least, most, keep, node_limit, cap, max_columns)
    cuts = no_penalties(n) if penalties is None else penalties
    # A copy: for an array that cannot be written numba would compile the kernel again.
    thresholds = np.array(np.broadcast_to(threshold, n), np.float64)
    order = np.argsort(-multipliers, kind="stable").astype(np.int32)
    # Roots of large groups take long: few of them make a piece, so that the threads end together.
    pieces = _pieces(n, 32 if most < 15 else 4)

    def arguments(stop: Flag) -> Iterator[tuple[object, ...]]:
        for first, last in pieces:
            # The first piece is there in any case, for the shape of what is returned.
            if first > 0 and deadline is not None and deadline.passed:
                return
            yield space, multipliers, order, thresholds, first, last, asked, cuts, stop

    with _stop_at(deadline) as stop:
        found = list(ordered_map(executor, price_roots, arguments(stop), ahead=4))
    roots = np.full(n, -np.inf)
    complete = np.zeros(n, np.bool_)
    reached = order[: pieces[len(found) - 1][1]]
    roots[reached] = np.concatenate([f.roots for f in found])
    complete[reached] = np.concatenate([f.complete for f in found])
    return Sweep(
        np.concatenate([f.members for f in found]),
        np.concatenate([f.sizes for f in found]),
        np.concatenate([f.reduced for f in found]),
        roots,
        complete,
        sum(f.nodes for f in found),
        any(f.overflow for f in found),
    )


def _pieces(n: int, widest: int) -> list[tuple[int, int]]:
    """Ranges of roots: single ones at first, where λ is largest and candidates are most, then up to `widest`."""
    cuts = [0]
    while cuts[-1] < n:
        cuts.append(min(n, cuts[-1] + min(widest, 1 + cuts[-1] // 8)))
    return list(pairwise(cuts))


@contextmanager
def _stop_at(deadline: Deadline | None) -> Iterator[Flag]:
    """A flag that is set when the deadline passes: one root may take seconds, a piece a minute."""
    left = np.inf if deadline is None else deadline.remaining
    stop = np.full(1, left <= 0, np.uint8)
    if stop[0] or not np.isfinite(left):
        yield stop
        return
    timer = threading.Timer(left, stop.fill, [1])
    timer.daemon = True
    timer.start()
    try:
        yield stop
    finally:
        timer.cancel()
