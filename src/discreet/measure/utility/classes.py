"""Classes of records that are alike in all columns, before and after.

    average class size            C = n / number of classes
    discernibility metric         DM = Σ |E|² over the classes E: each record costs the size of its class

Bayardo and Agrawal (2005), LeFevre et al. (2006). A range, a set, anything and a blank are values of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.measure.risk.frequencies import classes
from discreet.measure.utility.columns import Codes, Column, Numbers


class ClassStatistics(NamedTuple):
    """How many classes there are, their average and least size, and the discernibility metric."""

    classes: int
    average: float
    least: int
    discernibility: int


def class_statistics(columns: Sequence[Column]) -> ClassStatistics:
    """Of the records of one file, at least one, by at least one column."""
    size = classes(np.stack([codes for column in columns for codes in _codes(column)], axis=1)).size
    n = int(size.sum())
    return ClassStatistics(size.size, n / size.size, int(size.min()), int((size.astype(object) ** 2).sum()))


def _codes(column: Column) -> list[Codes]:
    if isinstance(column, Numbers):
        ends = [column.low] if column.low is column.high else [column.low, column.high]
        return [np.unique(end, return_inverse=True)[1] for end in ends]
    return [column.codes - column.codes.min(initial=0)]
