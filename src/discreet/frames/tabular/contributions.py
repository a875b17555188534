"""The column `others_by` of a long table: what holdings beside the largest contribute, as `3:12.5 18:0.4`.

A number of a holding and its amount, one after the other for each holding, with spaces between them; empty where nobody
else contributes. Innermost cells have all of them; those of totals follow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.tabular.decimals import decimal_texts

OTHERS = "others_by"
_ONE = r"^(?P<who>[1-9][0-9]{0,17}):(?P<amount>[0-9]{1,18}(?:\.[0-9]{1,18})?)$"
Ints = NDArray[np.int64]


class Contributions(NamedTuple):
    """One entry for each: the row of its cell, the holding, and the amount."""

    row: Ints
    who: Ints
    amount: Any


def contribution_texts(found: Contributions, rows: int, decimals: int) -> list[str]:
    """A text for each of so many rows."""
    texts: list[list[str]] = [[] for _ in range(rows)]
    amounts = decimal_texts(found.amount, decimals)
    for row, who, amount in zip(found.row.tolist(), found.who.tolist(), amounts):
        texts[row].append(f"{who}:{amount}")
    return [" ".join(own) for own in texts]


def read_contributions(column: Any, where: str) -> Contributions:
    """The entries of a column of texts, with amounts as decimal texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lists = pc.utf8_split_whitespace(pc.utf8_trim_whitespace(column.combine_chunks().fill_null("")))
    flat, row = lists.flatten(), pc.list_parent_indices(lists)
    told = pc.not_equal(flat, "")
    flat, row = flat.filter(told), row.filter(told)
    found = pc.extract_regex(flat, _ONE)
    if found.null_count:
        raise InputError(
            f"{where}: {OTHERS} has {found.null_count} entries that are no holding and amount, such as 3:12.5"
        )
    who = np.asarray(found.field("who").cast(pa.int64()).to_numpy(zero_copy_only=False), np.int64)
    rows = np.asarray(row.to_numpy(zero_copy_only=False), np.int64)
    order = np.lexsort((who, rows))
    twice = (np.diff(rows[order]) == 0) & (np.diff(who[order]) == 0)
    if twice.any():
        raise InputError(f"{where}: {OTHERS} names a holding twice in {np.unique(rows[order][1:][twice]).size} rows")
    return Contributions(rows, who, found.field("amount"))
