"""Proof of a bound from the dictionary, in integers only.

Take any whole numbers R on the basic cells of the first dictionary K and let r_N = s·K_c − Kᵀ R elsewhere. Then
s·x_c = s·x°_c + Σ r (x − x°) for every table x with the margins, hence

    s·x_c  ≤  s·x°_c + Σ_i max(r_i (lower_i − x°_i), r_i (upper_i − x°_i)).

With R from the last reduced costs, scaled and rounded, that is the value of the linear program.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.tables.table import Ints
from discreet.tables.theory.dictionary import Dictionary

Floats = NDArray[np.float64]

# Denominators of reduced costs are small: a multiple of them keeps the scaled ones exact.
SCALE = 5040 * 64
LARGEST_COST = 1 << 20


@inner
def proof(
    known: Dictionary,
    column: Ints,
    costs: Floats,
    divisor: float,
    table: Ints,
    low: Ints,
    high: Ints,
    c: int,
    side: int,
) -> int:
    """The whole number beyond which no table goes at cell c; `known` is the first dictionary."""
    matrix, basic, nonbasic = known.matrix, known.basic, known.nonbasic
    residual = np.zeros(nonbasic.size, np.int64)
    # Sizes are followed in floats, which cannot wrap around: where whole numbers might, nothing is proven.
    total, size, own, spread = np.int64(0), 0.0, -1, float(SCALE)
    for i in range(basic.size):
        b = basic[i]
        if b == c:
            own = i
        if column[b] < 0 or costs[column[b]] == 0:
            continue
        if not abs(costs[column[b]]) <= LARGEST_COST * divisor:
            return high[c] if side > 0 else low[c]
        factor = np.int64(np.rint(costs[column[b]] * SCALE / divisor))
        largest = np.int64(1)
        for j in range(nonbasic.size):
            residual[j] -= factor * matrix[i, j]
            largest = max(largest, abs(matrix[i, j]))
        spread += abs(float(factor)) * float(largest)
        total += _most(factor, low[b] - table[b], high[b] - table[b], side)
        size += abs(float(factor)) * (float(abs(low[b] - table[b])) + float(abs(high[b] - table[b])))
    for j in range(nonbasic.size):
        b = nonbasic[j]
        factor = residual[j] + (SCALE * matrix[own, j] if own >= 0 else (SCALE if b == c else 0))
        total += _most(factor, low[b] - table[b], high[b] - table[b], side)
        size += abs(float(factor)) * (float(abs(low[b] - table[b])) + float(abs(high[b] - table[b])))
    if spread > 2.0**61:
        return high[c] if side > 0 else low[c]
    if size + float(SCALE) * table[c] > 2.0**62:
        return high[c] if side > 0 else low[c]
    total += SCALE * table[c]
    return total // SCALE if side > 0 else -((-total) // SCALE)


@inner
def _most(factor: int, low: int, high: int, side: int) -> int:
    return max(factor * low, factor * high) if side > 0 else min(factor * low, factor * high)
