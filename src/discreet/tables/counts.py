"""How large counts may be: a table sums to 2^62 at most, so that sums of any two counts stay within 64 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 1 << 62


def total_of(counts: NDArray[Any]) -> int:
    """The sum of counts that are not negative, as a Python integer: it cannot wrap around."""
    flat = np.asarray(counts).reshape(-1).astype(np.uint64)
    return (int((flat >> np.uint64(32)).sum()) << 32) + int((flat & np.uint64(0xFFFFFFFF)).sum())
