"""What each column lost, as lying bars in the order of the file.

Values are drawn to two digits: enough to compare columns by, and too little to compute a record from all the others.
Tables have all digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from discreet.report.bars import lying

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def losses(names: Sequence[str], values: Sequence[float], *, title: str, unit: str) -> Figure:
    """The loss of each column; of very many, the largest."""
    return lying(title, names, [two_digits(value) for value in values], unit)


def two_digits(value: float) -> float:
    """The value to two digits; 0 for what is no number."""
    if not isfinite(value) or value == 0:
        return 0.0
    return round(value, 1 - floor(log10(abs(value))))
