"""The plain numbers of many short columns at once: a call of Arrow per column is too slow for a million columns.

Columns of whole numbers of at most 15 digits, and columns of decimals, are recognized and read together, in blocks of
cells. Whatever is not as plain (gaps, spaces, plus signs, longer numbers) is left to `numbers.parse_numbers`, with
which the outcome agrees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROWS = 1000  # taller columns are read one by one
WIDTH = 64  # and so are fewer columns than these
_CELLS = 1 << 20
_WHOLE = r"^-?[0-9]{1,15}$"
_DIGITS = r"^-?[0-9]+$"
_NUMBER = r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$"
_CODE = r"^-?0[0-9]"


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Runs of columns that hold about a million cells."""
    step = max(1, _CELLS // max(rows, 1))
    for first in range(0, columns, step):
        yield slice(first, min(first + step, columns))


def plain_numbers(cells: Any, rows: int) -> list[tuple[Any, bool] | None]:
    """Per column its numbers and whether they look like codes; None where they are not plain.

    `cells` is an Arrow array of strings, column after column, each of `rows` cells.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    def matches(pattern: str) -> NDArray[np.bool_]:
        hits = pc.fill_null(pc.match_substring_regex(cells, pattern), False).to_numpy(zero_copy_only=False)
        return np.asarray(hits, bool).reshape(-1, rows)

    whole: NDArray[np.bool_] = np.all(matches(_WHOLE), axis=1)
    decimal: NDArray[np.bool_] = np.all(matches(_NUMBER), axis=1) & ~np.all(matches(_DIGITS), axis=1)
    coded: NDArray[np.bool_] = np.any(matches(_CODE), axis=1)
    nothing = pa.scalar(None, cells.type)
    read = {}
    for kind, chosen in ((pa.int64(), whole), (pa.float64(), decimal)):
        if chosen.any():
            read[kind] = pc.if_else(pa.array(np.repeat(chosen, rows)), cells, nothing).cast(kind)
    found: list[tuple[Any, bool] | None] = []
    for place in range(whole.size):
        if whole[place]:
            found.append((read[pa.int64()].slice(place * rows, rows), bool(coded[place])))
        elif decimal[place]:
            found.append((read[pa.float64()].slice(place * rows, rows), False))
        else:
            found.append(None)
    return found
