"""Do two files stand in the same order of rows?

The loss of cells (`overall.py`) of rows paired as they stand is compared with that of 999 random orders, on at most 500
rows drawn by the seed. If the pairing that stands fits better than each of them, or if the order makes no difference,
the rows are taken to be in the same order; a shuffled file passes that with a chance of 1 in 1000.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.measure.utility.columns import Column, take
from discreet.measure.utility.overall import cell_losses

ORDERS, ROWS = 999, 500
_ROUNDING = 1e-12


def same_order(original: Sequence[Column], published: Sequence[Column], seed: int) -> bool:
    """Whether row i of both is the same person, for all the two files tell; both have as many rows."""
    n = original[0].missing.size
    if not any(cell_losses(old, new).any() for old, new in zip(original, published)):
        return True
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(n, min(n, ROWS), replace=False))
    orders = rng.permuted(np.tile(rows, (ORDERS + 1, 1)), axis=1)
    orders[0] = rows
    still = np.tile(rows, ORDERS + 1)
    loss = np.zeros(ORDERS + 1)
    for old, new in zip(original, published):
        loss += cell_losses(take(old, orders.ravel()), take(new, still)).reshape(orders.shape).mean(axis=1)
    return bool((loss[1:] > loss[0]).all() or np.ptp(loss) <= _ROUNDING)
