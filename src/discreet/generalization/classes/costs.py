"""What a class of records costs, and what it would cost with one record more.

    cost(C) = |C| · Σ_a c_a(C)

where c_a is what `domain.py` says of a set: the penalty of the least box over C for a key, the variance within C (and
the share of its gaps) for a number that is published as the mean. The sum over classes, a mean over cells, is the loss.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.generalization.boxes import Block, Scratch, attribute_cost, fill_exact, scratch
from discreet.generalization.domain import Codes, Floats, Integers, Tables
from discreet.kernels.compile import inner


@inner
def class_cost(t: Tables, s: Scratch, members: Codes, m: int, skip: int) -> float:
    """The cost, per record, of the class of the first `m` members but `skip` (m for none)."""
    total = 0.0
    for a in range(members.shape[1]):
        total += attribute_cost(t, s, a, members, m, skip)
    return total


@inner
def added_costs(t: Tables, s: Scratch, block: Block, members: Codes, m: int, out: Floats) -> None:
    """What each column of the block adds, per record, to the class of the first `m` members."""
    exact = block.exact
    fill_exact(t, s, block, members, m, exact)
    d, b = block.places.shape
    for c in range(b):
        out[c] = 0.0
    for a in range(d):
        for c in range(b):
            out[c] += exact[block.places[a, c]]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def class_costs(t: Tables, codes: Codes, order: Integers, ends: Integers) -> Floats:
    """The cost per record of every class; class g holds the records `order[ends[g]:ends[g + 1]]`."""
    s = scratch(t.start[-1])
    out = np.empty(ends.shape[0] - 1)
    for g in range(out.shape[0]):
        members = codes[order[ends[g] : ends[g + 1]]]
        out[g] = class_cost(t, s, members, members.shape[0], members.shape[0])
    return out
