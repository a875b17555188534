"""A release measured as every other: the share of persons found by one intruder, and the loss on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.errors import Faults, shown
from discreet.instruments.comparison.releases import claimed, truth_in
from discreet.instruments.measured.columns import Pair, read_pairs
from discreet.measure.risk.frequencies import classes
from discreet.measure.risk.intruder import Linked, linked
from discreet.measure.utility.columns import Codes, Column, Floats, Numbers
from discreet.measure.utility.overall import overall_loss
from discreet.results import Result
from discreet.work import thread_count


@dataclass(frozen=True)
class Measured:
    """`found` by each attack and the `loss` on one scale, both expected over a secret draw; the check's `outcome`, ""
    where it was not asked; and the most that any intruder finds by proof, None where none speaks of all columns."""

    found: Linked
    loss: float
    outcome: str
    guaranteed: float | None


def measured(result: Result, columns: Sequence[str], *, check: bool, seed: int) -> Measured:
    """Risk and loss of one release on these columns, and what its proof says about them."""
    pairs = pairs_of(result, columns)
    persons = len(_first(pairs[0]))
    truth = truth_in(result, persons)
    before, after = [pair.before for pair in pairs], [pair.after for pair in pairs]
    found = linked(before, after, truth, seed=seed, threads=thread_count())
    losses = [_loss(before, after, rows) for rows in truth.records.T]
    outcome = result.verify().outcome if check else ""
    least = result.claim().get("k")
    proven = outcome == "safe" and least is not None and least > 1 and set(columns) <= claimed(result)
    return Measured(found, float(np.mean(losses)), outcome, 1.0 / least if proven and least else None)


def _loss(before: Sequence[Column], after: Sequence[Column], rows: Codes) -> float:
    """The loss where person i's record is row `rows[i]`; one that is not published (−1) is lost as a whole."""
    there = np.flatnonzero(rows >= 0)
    kept = overall_loss([_some(one, there) for one in before], [_some(one, rows[there]) for one in after])
    share = len(there) / len(rows)
    return kept * share + 1.0 - share


def _some(column: Column, rows: Codes) -> Column:
    """These rows of a column, in this order."""
    if isinstance(column, Numbers):
        return Numbers(column.low[rows], column.high[rows])
    return column._replace(codes=column.codes[rows])


def pairs_of(result: Result, columns: Sequence[str]) -> list[Pair]:
    """The columns of the original and of the release, as the release is to be read."""
    return read_pairs(
        result.original,  # type: ignore[attr-defined]
        result.publication().data,
        columns,
        categorical=getattr(result, "categorical", ()),
        hierarchies=getattr(result, "hierarchies", {}),
    )


def check_columns(results: Sequence[Result], columns: Sequence[str], faults: Faults) -> None:
    """Note columns that some release does not have."""
    from discreet.frames import adopt

    for place, result in enumerate(results, 1):
        there = set(adopt(result.publication().data).columns)
        for name in columns:
            faults.check(name in there, f"column {shown(name)!r} is not in what result {place} publishes: leave it out")


def unprotected(result: Result, columns: Sequence[str]) -> float:
    """The share of persons found if the original were published as it is: classes by all columns, over persons."""
    codes = []
    for pair in pairs_of(result, columns):
        values = _first(pair)
        codes.append(np.unique(values, return_inverse=True)[1].ravel())
    keys = np.stack(codes, axis=1).astype(np.int64)
    return len(classes(keys).size) / len(keys)


def _first(pair: Pair) -> Codes | Floats:
    return pair.before.low if isinstance(pair.before, Numbers) else pair.before.codes
