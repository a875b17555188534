"""A lower bound on the loss of any partition, from nearest neighbors alone.

For a group G of m records, SSE(G) = (1/m) Σ_{pairs} d² = Σ_{i∈G} (1/2m) Σ_{j∈G} d²_ij. Let S_t(i) be the sum of the t
least squared distances from i to other records. Then Σ_{j∈G} d²_ij ≥ S_{m−1}(i). The mean of the t least distances does
not fall with t, nor does (m−1)/m with m, so S_{m−1}(i)/m is least at m = k, and for every partition

    SSE ≥ Σ_i S_{k−1}(i) / 2k.

Near-linear in n, at any size. Column generation gives a far sharper bound where it fits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Sums of squared distances carry rounding errors of a few units in the last place; the bound must not.
SAFETY = 1.0 - 1e-12
BLOCK = 50_000


def neighbor_bound(points: NDArray[np.float64], k: int) -> float:
    """A sum of squared errors that no partition of `points` into groups of at least `k` can undercut."""
    from discreet.solvers.neighbours import search_tree

    if k == 1:
        return 0.0
    tree = search_tree(points)
    total = 0.0
    for start in range(0, len(points), BLOCK):
        # A record's own distance of zero is among its k nearest and adds nothing; so is that of a duplicate.
        distances, _ = tree.query(points[start : start + BLOCK], k=k, workers=1)
        total += float(np.square(distances).sum())
    return total / (2 * k) * SAFETY
