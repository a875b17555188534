"""Lower bounds in whole numbers: weights of inequalities, evaluated exactly whatever solver proposed them.

With weights y ≥ 0 of the rows Σ_i a_ki x_i ≥ b_k (b is 1 for capacity rows divided by their right side, 0 for bridges),

    Σ w_i x_i ≥ Σ_k y_k b_k + Σ_i q_i x_i,   q_i = w_i − Σ_k y_k a_ki

and x is 0 or 1: at a node of a tree, where some cells are 0 and some 1, a pattern costs at least
Σ y b + Σ_{x=1} q_i + Σ_{free} min(0, q_i). Weights are whole multiples of 1/Q; coefficients are rounded up and q down
to multiples of 1/Q, which only weakens the bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import Ints
from discreet.tabular.suppress.model import Flags, Floats
from discreet.tabular.suppress.pool import Pool


class Proof(NamedTuple):
    """Weights `weight`/`denominator` of inequalities, by number, and what follows from them.

    `base` = Q Σ y b, and `reduced` ≤ Q q for every cell of the table.
    """

    denominator: int
    row: Ints
    weight: Ints
    base: int
    reduced: Ints

    def bound(self, zero: Flags, one: Flags) -> int:
        """Q times the least cost at a node, without the cost of cells that must be hidden."""
        free = ~(zero | one)
        return self.base + int(self.reduced[one].sum()) + int(np.minimum(self.reduced[free], 0).sum())


def empty_proof(pool: Pool) -> Proof:
    """No weights: costs are not negative."""
    nothing = np.zeros(0, np.int64)
    return Proof(1, nothing, nothing, 0, np.where(pool.model.free, pool.model.problem.cells.cost, 0))


def proof_of(pool: Pool, rows: Sequence[int], duals: Floats) -> Proof | None:
    """Evaluate the weights that a linear program proposes for rows; None where numbers get too large."""
    used = np.flatnonzero(duals > 1e-11)
    largest = max(float(duals[used].max(initial=0.0)), float(pool.model.cost.max(initial=0.0)), 1.0)
    room = 54 - int(np.ceil(np.log2(largest)))
    fine = 30 if room >= 42 else 20
    if room - fine < 1:
        return None
    whole = 1 << min(room - fine, 26)
    weight = np.floor(duals[used] * whole).astype(np.int64)
    row = np.asarray(rows, np.int64)[used][weight > 0]
    weight = weight[weight > 0]
    total = np.zeros(pool.model.count, np.int64)
    load = np.zeros(pool.model.count)
    base = 0
    for number, y in zip(row.tolist(), weight.tolist()):
        cells, coefficients, right = pool.fine(number, fine)
        total[cells] += y * coefficients
        load[cells] += abs(y * coefficients.astype(np.float64))
        base += y * right
    if load.max(initial=0.0) > 2.0**62:
        return None
    cost = np.where(pool.model.free, pool.model.problem.cells.cost, 0) * whole
    return Proof(whole, row, weight, base, cost + (-total >> fine))
