"""A figure that is not there, and why: a constant column has no correlation, a shuffled file no difference by row."""

from __future__ import annotations

from typing import NamedTuple


class Absent(NamedTuple):
    """Why a figure is not given."""

    why: str


Figure = float | Absent
CONSTANT = Absent("not defined: constant column")
EMPTY = Absent("not defined: no known values")
SHUFFLED = Absent("left out: needs both files in the same order of rows")
