"""The custodian's secret file checked against a release in classes: which originals each class was made from.

1. Every original that is to be published is the origin of one row, and the other columns of a row are its origin's.
2. A class has k rows or more (with units: rows of k units or more, which have all their classes in common), and its
   rows show the same boxes and means.
3. These are the least boxes over, and the means of, the originals of the class, so that they depend on nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.verify.matchings.reading import Integers, Reading
from discreet.verify.matchings.secret import Behind, Opened, origin_faults
from discreet.verify.matchings.secret_boxes import Members, box_faults
from discreet.verify.matchings.secret_file import parse_classes
from discreet.verify.units.behind import class_faults
from discreet.verify.units.sets import check_sets


def verify_secret_classes(
    text: str, readings: list[Reading], *, k: int, names: Sequence[str], behind: Behind
) -> Opened:
    """Whether the secret fits the release and shows classes of k or more that were made as they should be."""
    n = readings[0].texts.size
    s = parse_classes(text, n, behind.kept)
    if (np.bincount(s.origin, minlength=n) != 1).any():
        return Opened(("the secret file does not name every original as the origin of one row",))
    failures = []
    sizes = np.bincount(s.of_row)
    small = int((sizes[s.of_row] < k).sum())
    if small:
        failures.append(f"{small} rows are in classes, in the secret file, of fewer than {k} rows")
    if behind.units is not None:
        failures += class_faults(s.origin, s.of_row, behind.units, k, behind.one)
    uneven = sum(int((r.texts != _first(r.texts, s.of_row)[s.of_row]).sum()) for r in readings)
    if uneven:
        failures.append(f"{uneven} entries differ from others of their class in the secret file")
    made = class_members(s.origin, s.of_row)
    found, limits = box_faults(readings, made, names, recoded=True)
    failures += found
    failures += origin_faults(s.origin, behind)
    if behind.means is not None:
        check_sets(behind.means, made, s.of_row)
    if failures:
        return Opened(tuple(failures))
    proven = (
        "every class shows what depends on its originals alone, and the order of rows is not that of the original",
    )
    return Opened((), proven, tuple(limits), {"secret_classes": int(sizes.size)})


def _first(values: Integers, of_row: Integers) -> Integers:
    """The value of the first row of each class."""
    out = np.zeros(int(of_row.max(initial=-1)) + 1, np.int64)
    out[of_row[::-1]] = values[::-1]
    return out


def class_members(origin: Integers, of_row: Integers) -> Members:
    """Per row the originals of its class."""
    order = np.argsort(of_row, kind="stable")
    ends = np.searchsorted(of_row[order], np.arange(int(of_row.max(initial=-1)) + 2))
    sizes = np.diff(ends)[of_row]
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]).astype(np.int64)
    inside = np.arange(int(bounds[-1])) - np.repeat(bounds[:-1], sizes)
    return Members(bounds, origin[order][np.repeat(ends[of_row], sizes) + inside])
