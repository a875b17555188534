"""k disjoint perfect matchings, one after another: the shell of the paper's three algorithms (sections 5-7).

Record i starts matched with itself. In each of k − 1 iterations every record receives one more record, all of them
different (a perfect matching), the cost of a pair being what the newcomer adds to the box of those already there. How
an iteration matches is the rule: `greedy`, `sort_greedy` or `hungarian`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import Scratch, block_of, fill_exact, fill_row, forget, scratch
from discreet.generalization.domain import Codes, Integers, Tables
from discreet.generalization.matching.greedy import greedy_matching
from discreet.generalization.matching.hungarian import cheapest_matching
from discreet.generalization.matching.sort_greedy import sort_greedy_matching
from discreet.solvers.assignment import FORBIDDEN

Costs = NDArray[np.int32]
Slots = NDArray[np.int32]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def added_costs(t: Tables, s: Scratch, codes: Codes, slots: Slots, m: int, out: Costs) -> None:
    """`out[i, j]`: what record j adds to the box of record i's first `m` matches; forbidden where already matched."""
    b, d = codes.shape
    block = block_of(t, s, codes)
    members = np.empty((m, d), np.int32)
    for i in range(b):
        for r in range(m):
            for a in range(d):
                members[r, a] = codes[slots[i, r], a]
        fill_exact(t, s, block, members, m, block.exact)
        fill_row(block, t.scale, out[i])
        for r in range(m):
            out[i, slots[i, r]] = FORBIDDEN
    forget(s, block)


def match_blocks(t: Tables, codes: Codes, ends: Integers, k: int, rule: str) -> Slots:
    """Matches of every record, numbered within its block; blocks are rows ends[b] … ends[b + 1] of `codes`.

    Not compiled itself: kernels are compiled one by one, and only those of the rule.
    """
    slots = np.empty((codes.shape[0], k), np.int32)
    for low, high in pairwise(ends.tolist()):
        inside, mine = codes[low:high], slots[low:high]
        mine[:, 0] = np.arange(high - low)
        for m in range(1, k):
            mine[:, m] = RULES[rule](t, inside, mine[:, :m])
    return slots


def by_costs(matching: Callable[[Costs], Slots], t: Tables, codes: Codes, slots: Slots) -> Slots:
    """An iteration that looks at what all pairs cost."""
    n, m = slots.shape
    cost = np.empty((n, n), np.int32)
    added_costs(t, scratch(int(t.start[-1])), codes, np.ascontiguousarray(slots), m, cost)
    return matching(cost)


RULES: dict[str, Callable[[Tables, Codes, Slots], Slots | Integers]] = {
    "greedy": partial(by_costs, greedy_matching),
    "sort-greedy": partial(by_costs, sort_greedy_matching),
    "hungarian": cheapest_matching,
}
