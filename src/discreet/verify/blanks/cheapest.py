"""What each combination of keys must cost at the least, whatever the others do.

A published combination with the keys S blank fits N_A originals on every set A of keys outside S. Whoever must fit k on
all keys, or on every m of them, is published with one of the sets S that allow it:

    b_t = min { w(S ∖ missing in t) : N_A(t) ≥ k for every A outside S with at most m keys }

Σ_t n_t b_t is the least cost of a release by cover, exactly, as there every record is free to choose; and no release in
classes costs less, since classes imply cover.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.verify.blanks.sharing import subsets
from discreet.verify.groups import combine

Integers = NDArray[np.int64]

AT_ONCE = 1 << 27


def cheapest(codes: Integers, count: Integers, k: int, weights: Integers, m: int | None) -> Integers:
    """b_t for the distinct combinations `codes` (0 is missing), of which `count` says how often each occurs."""
    t, d = codes.shape
    rare = _rare(codes, count, k, m)
    out = np.zeros(t, np.int64)
    step = max(1, AT_ONCE >> d)
    for first in range(0, t, step):
        part = slice(first, min(first + step, t))
        out[part] = _cheapest(codes[part], {keys: few[part] for keys, few in rare.items()}, weights)
    return out


def _rare(codes: Integers, count: Integers, k: int, m: int | None) -> dict[int, NDArray[np.bool_]]:
    """Per set of keys that is asked about, as bits, which combinations are shared by fewer than k there."""
    d = codes.shape[1]
    most = d if m is None else min(m, d)
    found = {0: np.full(len(codes), int(count.sum()) < k)}
    for size in range(1, most + 1):
        for keys in subsets(d, size):
            of = combine([codes[:, j] for j in keys])
            people = np.zeros(int(of.max()) + 1, np.int64)
            np.add.at(people, of, count)
            found[sum(1 << j for j in keys)] = (people < k)[of]
    return found


def _cheapest(codes: Integers, rare: dict[int, NDArray[np.bool_]], weights: Integers) -> Integers:
    t, d = codes.shape
    whole = (1 << d) - 1
    gap = codes == 0
    gaps = gap @ (1 << np.arange(d))
    shy = np.zeros((1 << d, t), bool)
    for keys in range(1 << d):
        row = shy[keys]
        if keys in rare:
            row |= rare[keys]
        for j in range(d):
            if keys >> j & 1:
                row |= shy[keys ^ (1 << j)]
    best = np.full(t, np.iinfo(np.int64).max)
    for blank in range(1 << d):
        allowed = ~shy[whole ^ blank] & (gaps & ~blank == 0)
        chosen = np.array([blank >> j & 1 for j in range(d)], bool)
        cost = (~gap & chosen) @ weights
        best = np.where(allowed & (cost < best), cost, best)
    return best
