"""Tables about the same people, slowly: list every table over all variables, keep those that agree with what is out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .release import all_tables, margin

Names = tuple[str, ...]


def spread(
    names: Names, shape: tuple[int, ...], truth: np.ndarray, out: Sequence[Names], table: Names
) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest counts of the margin over `table` among all joint tables with the margins that are out."""
    tables = all_tables(shape, int(truth.sum()))
    keep = np.ones(len(tables), bool)
    for released in out:
        axes = tuple(names.index(n) for n in released)
        keep &= (margin(tables, shape, axes) == margin(truth.reshape(1, -1), shape, axes)).all(axis=1)
    cells = margin(tables[keep], shape, tuple(names.index(n) for n in table))
    return cells.min(axis=0), cells.max(axis=0)


def unsafe_tables(
    names: Names,
    shape: tuple[int, ...],
    truth: np.ndarray,
    out: Mapping[Names, Sequence[Names]],
    c: int,
    w: int,
) -> list[Names]:
    """The tables (by their variables) with a sensitive cell that is too narrow, given what is out of all of them."""
    told = [released for margins in out.values() for released in margins]
    found = []
    for table in out:
        low, high = spread(names, shape, truth, told, table)
        axes = tuple(names.index(n) for n in table)
        counts = margin(truth.reshape(1, -1), shape, axes)[0]
        sensitive = (counts >= 1) & (counts <= c)
        if ((high - low)[sensitive] < w).any():
            found.append(table)
    return found
