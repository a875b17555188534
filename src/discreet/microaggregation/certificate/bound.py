"""The lower bound that any multipliers prove, once every root has been priced.

For any multipliers λ and any cut penalties w ≥ 0, summing rc(C) ≥ r_root(C) over the groups of a partition gives

    SSE ≥ Σ_v λ_v − Σ_T w_T·rhs_T + (sum of the ⌊n/k⌋ least of min(0, r_i)),

where r_i is anything at or below the least reduced cost of the groups rooted at i: roots of different groups differ,
and a partition has at most ⌊n/k⌋ groups. It holds for every λ, converged or not.

Rounding. A reduced cost is a sum of fewer than (2k)² + d·(2k)² + ... products, each of relative error below γ. Over the
groups of one partition the terms add up to at most its SSE (which need not exceed the best known one) plus n times the
largest |λ| and the largest sum of penalties at one record, three times over (partial sums, bound, comparison). The
bound is lowered by γ times that, with γ = (d + 8k² + 64)·2⁻⁵².
"""

from __future__ import annotations

import numpy as np

from discreet.microaggregation.certificate.pricing.search import Penalties
from discreet.microaggregation.certificate.space import Floats


def lower_bound(
    multipliers: Floats,
    roots: Floats,
    k: int,
    *,
    dimension: int,
    best: float,
    penalties: Penalties | None = None,
    charge: float = 0.0,
) -> float:
    """The bound above, rounding included; `charge` is Σ w_T·rhs_T and `best` the SSE of a known partition."""
    n = multipliers.size
    owed = np.sort(np.minimum(roots, 0.0))[: n // k]
    value = float(multipliers.sum()) - charge + float(owed.sum())
    return value - rounding_margin(multipliers, k, dimension=dimension, best=best, penalties=penalties)


def rounding_margin(
    multipliers: Floats, k: int, *, dimension: int, best: float, penalties: Penalties | None = None
) -> float:
    n = multipliers.size
    at_one = 0.0
    if penalties is not None:
        owed = np.zeros(n)
        for column in range(3):
            np.add.at(owed, penalties.triples[:, column], penalties.triple_weight)
        record = np.repeat(np.arange(n), np.diff(penalties.start))
        cut = penalties.cut_of
        np.add.at(owed, record, penalties.weight[cut] * (penalties.numerator / penalties.divisor[cut] + 1.0))
        at_one = float(owed.max(initial=0.0))
    gamma = (dimension + 8 * k * k + 64) * 2.0**-52
    return gamma * (best + 3.0 * n * (float(np.abs(multipliers).max(initial=0.0)) + at_one))
