"""One scale of loss for all instruments: what share of what a cell told is gone, from 0 to 1.

The loss of a cell, for x the original and its published form:

    plain category    0 where it is x, else 1
    set of m          (m − 1)/(|A| − 1) where x is among them, else 1;  |A| values in the original, missing as one
    plain number y    |x − y| / 2δ, at most 1;  δ = mean |x − median x| over the original column
    range [a, b]      E|x − U| / 2δ, at most 1, for U uniform on [a, b]:
                      ((x − a)² + (b − x)²) / 2(b − a) for x within, |x − (a + b)/2| for x outside
    anything          1
    blank             1, and 0 where x is missing too; x missing and anything published in its place is 1

2δ is what two values that have nothing to do with one another differ by at the most, on average: E|x − x'| ≤ 2δ for x'
drawn from the same column. So a shuffled column has a loss of up to 1, the median in place of all about 1/2, a blank 1.
In a column that is constant every other value costs 1. The loss of a file is the mean over its columns of the mean over
its cells; row i of both is the same person.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.measure.utility.columns import Categories, Column, Floats, Numbers, holds

_FAR = 1e100  # as far away as matters: a loss is cut at 1


def overall_loss(original: Sequence[Column], published: Sequence[Column]) -> float:
    """The loss of a file, in [0, 1]; 0 for no columns or no rows."""
    losses = [column_loss(before, after) for before, after in zip(original, published)]
    return float(np.mean(losses)) if losses else 0.0


def column_loss(original: Column, published: Column) -> float:
    """The mean loss of a column's cells, in [0, 1]."""
    cells = cell_losses(original, published)
    return float(cells.mean()) if cells.size else 0.0


def cell_losses(original: Column, published: Column) -> Floats:
    """The loss of every cell, in [0, 1]."""
    if isinstance(original, Numbers) and isinstance(published, Numbers):
        return _of_numbers(original, published)
    assert isinstance(original, Categories) and isinstance(published, Categories), "two columns of one kind"
    return _of_categories(original, published)


def _of_numbers(original: Numbers, published: Numbers) -> Floats:
    x, known = original.low, original.known & published.known
    out = np.where(original.missing & published.missing, 0.0, 1.0)
    if known.any():
        every = x[original.known]
        unit = float(np.abs(every).max()) or 1.0  # neither squares nor sums overflow
        spread = np.abs(every / unit - np.median(every / unit)).mean()
        with np.errstate(over="ignore"):
            low, high = (np.clip(ends[known] / unit, -_FAR, _FAR) for ends in published)
        error = expected_error(x[known] / unit, low, high)
        out[known] = np.minimum(error / (2 * spread), 1.0) if spread > 0 else np.where(error > 0, 1.0, 0.0)
    return out


def expected_error(x: Floats, low: Floats, high: Floats) -> Floats:
    """E|x − U| for U uniform between low and high, each a number where they are the same."""
    width = high - low
    inside = (low < x) & (x < high)
    safe = np.where(inside, width, 1.0)
    return np.where(inside, ((x - low) ** 2 + (high - x) ** 2) / (2 * safe), np.abs(x - (low / 2 + high / 2)))


def _of_categories(original: Categories, published: Categories) -> Floats:
    x = original.plain()
    out = np.where(original.missing & published.missing, 0.0, 1.0)
    right = holds(published, x)
    several = max(published.values - 1, 1)
    out[right] = np.minimum((published.width[published.codes[right]] - 1) / several, 1.0)
    return out
