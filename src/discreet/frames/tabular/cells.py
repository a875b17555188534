"""What a file says about the cells of a table with totals, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.frames.tabular.contributions import Contributions

Ints = NDArray[np.int64]
LETTERS = "umsz"
FREE = LETTERS.index("s")


class CellFile(NamedTuple):
    """One entry a cell. `codes[i, v]` is the place of its label in `labels[v]`.

    `amounts` has `value` and, where the file has them, `top` (cells x t, as many of the largest contributions as it
    states), `lower`, `upper`, `below`, `above` and `sliding`, all in units of 10^-`decimals`. `of_counts` says that the
    values are counts. `unknown` marks cells that a published file hides: their amounts stand at 0. `totals` are the
    labels of totals and `chains` the hierarchies that the format itself states. `who` are the holdings behind `top`, by
    number, 0 for nobody; `others` the contributions of all other holdings to innermost cells, None where untold.
    """

    variables: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    codes: NDArray[np.int32]
    amounts: Mapping[str, Ints]
    decimals: int
    of_counts: bool
    status: NDArray[np.int8]
    counts: Ints | None = None
    count_decimals: int = 0
    contributors: Ints | None = None
    cost: Ints | None = None
    cost_decimals: int = 0
    totals: Mapping[str, str] = {}
    chains: Mapping[str, Sequence[Sequence[str]]] = {}
    unknown: NDArray[np.bool_] | None = None
    who: Ints | None = None
    others: Contributions | None = None
