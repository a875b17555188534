"""Records with the same keys are one tuple: its keys, how many records have them, and which.

Tuples are numbered in the order in which they first appear in the file: this is the order of prices in a certificate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.renumber import renumber
from discreet.suppression.subsets import refine, sorted_rows

Codes = NDArray[np.int64]


class Tuples(NamedTuple):
    """The keys of each tuple [T, d], the number of records that have them, and the tuple of each record."""

    codes: Codes
    size: Codes
    of: Codes


def tuples_of(codes: Codes) -> Tuples:
    """The distinct rows of `codes`, in the order of first appearance."""
    n, d = codes.shape
    of = np.zeros(n, np.int64)
    groups = min(n, 1)
    for j in range(d):
        of, groups = refine(of, groups, np.ascontiguousarray(codes[:, j]), sorted_rows(codes[:, j]))
    of = renumber(of)
    first = np.full(groups, n, np.int64)
    np.minimum.at(first, of, np.arange(n))
    return Tuples(np.ascontiguousarray(codes[first]), np.bincount(of, minlength=groups), of)
