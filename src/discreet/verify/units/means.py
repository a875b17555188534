"""Published means without the sets behind them: what must hold whatever the sets are.

Every record is in as many sets as it has rows, k of them, each with k records or more, and row r shows the mean of its
set, rounded to the published decimals. Whatever the sets:

- the published numbers add up to the original total, but for at most one last decimal a row;
- the t largest published numbers add up to at most the t largest of the original, and for t < k to at most t times the
  mean of the k largest (a set has k records, and nobody is in it twice); likewise the t least;
- a row's number lies between the mean of the k least and of the k largest originals that its box holds;
- with matchings all sets have one size, and a number times it is a sum: digits that could be signs on rows are not.

A copy of the original fails the second. With gaps a mean is over the known members, two or more and at least half. That
each number is the mean of its row's own set is seen only with the custodian's file (`sets.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.matchings.reading import Reading
from discreet.verify.order import held_pairs
from discreet.verify.readers import Table, shown
from discreet.verify.units.decimals import NoNumberError, Scaled, scaled, written_alike

Integers = NDArray[np.int64]

MOST_PAIRS = 20_000_000
MOST_SIZE = 24
"""Sets that are larger than the k claimed are looked for up to twice k, and up to this."""


@dataclass
class Means:
    """What was found about published means, and the columns on one scale for whoever has the sets."""

    columns: dict[str, Scaled] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    proven: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    figures: dict[str, float | int | str] = field(default_factory=dict)
    whose: str = "the original"


def read_means(before: Table, after: Table, names: Sequence[str], *, whole: bool = True) -> Means:
    """The columns that are published as means; `whole` says that `before` is all of the original."""
    found = Means() if whole else Means(whose=f"the {before.rows} original records that are published")
    for name in names:
        try:
            found.columns[name] = scaled(
                before.column(name), after.column(name), at_most=4 * max(before.rows, after.rows)
            )
        except NoNumberError as error:
            found.failures.append(f"column {shown(name)} {error}")
            continue
        if not written_alike(after.column(name)):
            found.failures.append(f"column {shown(name)} writes numbers in several styles, which may tell rows apart")
    return found


def check_means(found: Means, readings: Sequence[Reading], k: int, *, complete: bool, matched: bool = True) -> None:
    """Totals, and what bounds means of sets of k.

    `complete`: every record of the original is published. `matched`: sets are all of one size, as with matchings.
    """
    for name, column in found.columns.items():
        if not complete:
            found.limits.append(f"the total of {shown(name)}: records are left out, and the files do not tell which")
            continue
        if not column.gap.any():
            _total(found, name, column, k)
        else:
            _gaps(found, name, column)
        if not column.gap.any() and matched and not _divides(column, k):
            found.failures.append(
                f"column {shown(name)} has decimals that no mean of {k} records, or of a few more, can have"
            )
        outside = _outside(column, readings, fewest(k, gaps=bool(column.gap.any())))
        if outside:
            found.failures.append(
                f"column {shown(name)}: {outside} rows show a number that is no mean of {k} records which the row's "
                "box holds"
            )


def fewest(k: int, *, gaps: bool) -> int:
    """The least number of known values that a published mean is over."""
    return max(2, (k + 1) // 2) if gaps and k > 1 else k


def _total(found: Means, name: str, column: Scaled, k: int) -> None:
    blank = int(column.blank.sum())
    if blank:
        found.failures.append(f"column {shown(name)}: {blank} rows are blank, and the original has a number everywhere")
        return
    unit = 10 ** (column.decimals - column.last)
    difference = int(column.now.sum()) - int(column.was.sum())
    if abs(difference) > unit * column.now.size:
        found.failures.append(f"column {shown(name)} does not keep its total: these are not means of all records")
        return
    _tell_total(found, name, difference, column.decimals)
    if _spreads(column, k, unit):
        found.failures.append(
            f"column {shown(name)} is spread more widely than means of {k} records can be: it holds single values"
        )


def _tell_total(found: Means, name: str, difference: int, decimals: int) -> None:
    if difference == 0:
        found.proven.append(f"the total of {shown(name)} is that of {found.whose}, to the last digit")
    else:
        off = Decimal(difference).scaleb(-decimals).normalize()
        found.limits.append(f"the total of {shown(name)}, which is off by {off:f}: rounding")
    found.figures[f"total_difference_{name}"] = float(Decimal(difference).scaleb(-decimals))


def _gaps(found: Means, name: str, column: Scaled) -> None:
    known = ~column.gap
    difference = int(column.now[~column.blank].sum()) - int(column.was[known].sum())
    off = Decimal(difference).scaleb(-column.decimals).normalize()
    found.limits.append(
        f"the total of {shown(name)}: {int(column.gap.sum())} values are missing and {int(column.blank.sum())} rows "
        f"are blank, and the published numbers add up to {_beside(off)} those of the original"
    )


def _beside(off: Decimal) -> str:
    return "as much as" if not off else f"{abs(off):f} {'more' if off > 0 else 'less'} than"


def _spreads(column: Scaled, k: int, unit: int) -> bool:
    """Whether the t largest or least published numbers go beyond what sets of k allow, for some t."""
    for sign in (1, -1):
        was, now = np.sort(sign * column.was)[::-1], np.sort(sign * column.now)[::-1]
        allowed, shown_sums = np.cumsum(was), np.cumsum(now)
        t = np.arange(1, was.size + 1).astype(was.dtype)
        few = min(k, was.size)
        # k·(sum of t numbers) ≤ t·(sum of the k largest), in whole numbers
        head = few * shown_sums[: few - 1] > t[: few - 1] * (allowed[few - 1] + few * unit)
        if bool(head.any()) or bool((shown_sums[few - 1 :] > allowed[few - 1 :] + t[few - 1 :] * unit).any()):
            return True
    return False


def _divides(column: Scaled, k: int) -> bool:
    """Whether all numbers are next to a fraction with one denominator, k or somewhat more, of whole last decimals."""
    whole = 10 ** (column.decimals - column.first)
    unit = 10 ** (column.decimals - column.last)
    now = column.now[~column.blank]
    for size in range(k, max(2 * k, MOST_SIZE) + 1):
        over = (now * size) % whole
        if bool(((over == 0) | (over < unit * size) | (whole - over < unit * size)).all()):
            return True
    return False


def _outside(column: Scaled, readings: Sequence[Reading], few: int) -> int:
    """How many rows show a number beyond the means of the least and largest values that the box holds."""
    n, rows = column.was.size, column.now.size
    known = np.flatnonzero(~column.gap)
    looked = np.flatnonzero(~column.blank)
    if looked.size * n > MOST_PAIRS:
        looked = looked[np.linspace(0, looked.size - 1, max(1, MOST_PAIRS // n)).astype(np.int64)]
    order = known[np.argsort(column.was[known], kind="stable")]
    values = column.was[order]
    unit = 10 ** (column.decimals - column.last)
    outside = 0
    for row in looked.tolist():
        held: Any = values
        if readings:
            held = values[held_pairs(readings, np.full(order.size, row, np.int64), order)]
        if held.size < few:
            outside += 1
            continue
        number = int(column.now[row])
        least, most = int(held[:few].sum()), int(held[-few:].sum())
        outside += not least - few * unit <= number * few <= most + few * unit
    return outside if rows else 0
