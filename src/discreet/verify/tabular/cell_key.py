"""The check of counts with noise by cell keys: the noise looked up again, and what its support lets anybody infer.

A published count is the true one plus `pvalue` at the row of the count (`pcv`) and the sum of its records' keys modulo
how many there are (`ckey`). With 750 rows, counts above go round by the last 250; with fewer the last row does for all.
Somebody who knows the table of perturbations thinks those counts possible from which the published one can come, and
knows that true counts add up. Two possible values of a count, both shown by tables of whole numbers, leave it untold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from discreet.results import Judged, Verdict
from discreet.verify.tabular.levels import check_levels
from discreet.verify.tabular.pattern import as_move
from discreet.verify.tabular.problem import PRIMARY, SECONDARY, Table, load

GUARANTEE = "no count is told exactly"
STANDARD, CYCLE = 750, 250
LIMITS = (
    "what several tables tell together",
    "how likely each possible count is",
    "whoever uses that the key of a total is the sum of the keys of its parts",
)


def verify_cell_key(
    problem: Any,
    told: Sequence[int],
    key_sums: Sequence[int],
    noise: Iterable[tuple[int, int, int]],
    witnesses: Iterable[Any] = (),
) -> Verdict:
    """Whether `told` are the counts of `problem` with the noise of their keys, and none above 0 follows exactly.

    `noise` are the rows (pcv, ckey, pvalue); `witnesses` are moves that may help, and are believed when they add up.
    """
    table = load(problem, "the table of counts")
    added = {(int(row), int(key)): int(value) for row, key, value in noise}
    keys, last = 1 + max(key for _, key in added), max(row for row, _ in added)
    counts = [int(value) for value in table.value]
    wrong = [
        cell
        for cell, (count, shown, keys_sum) in enumerate(zip(counts, told, key_sums))
        if int(shown) != count + added.get((row_of(count, last), int(keys_sum) % keys), 0)
    ]
    figures: dict[str, float | int | str] = {"cells": len(counts), "wrong": len(wrong)}
    if wrong or not len(counts) == len(told) == len(key_sums):
        fault = f"{len(wrong)} published counts are not the true ones with the noise of their keys"
        return Verdict("unsafe", GUARANTEE, None, (fault,), figures=figures, limits=LIMITS)
    least = int(min(counts, default=0) > 0)  # cells without records are left out: who sees one knows that it has some
    behind = [possible(int(each), added, last, least) for each in told]
    among = {
        cell: [count - counts[cell] for count in own]
        for cell, own in enumerate(behind)
        if own[-1] - own[0] >= len(own)  # not all values in between can be
    }
    moves = [as_move(each) for each in witnesses if each.denominator == 1]
    levels = check_levels(_boxed(table, behind), range(table.n), moves, among=among)
    exact = {level.cell for level in levels if level.outcome == "exposed"}
    open_ = {level.cell for level in levels if level.outcome == "undecided"} - exact
    figures |= {"exact": len(exact), "undecided": len(open_)}
    outcome: Judged = "unsafe" if exact else "cannot tell" if open_ else "safe"
    faults = [f"{len(exact)} counts can be inferred exactly"] if exact else []
    faults += [f"{len(open_)} counts could not be shown to have two possible values"] if open_ else []
    proven = ["every published count is the true one with the noise of its key"]
    proven += ["every count has two or more possible values"] if outcome == "safe" else []
    return Verdict(outcome, GUARANTEE, None, tuple(faults), (), figures, tuple(proven), LIMITS)


def row_of(count: int, last: int) -> int:
    """The row of a count in a table of perturbations whose last row is `last`."""
    if last == STANDARD and count > STANDARD:
        return (count - 1) % CYCLE + STANDARD - CYCLE + 1
    return count if last == STANDARD else min(count, last)


def possible(told: int, added: Mapping[tuple[int, int], int], last: int, least: int = 0) -> list[int]:
    """The counts, none below `least`, from which the published one can come, in order."""
    reach = max(abs(value) for value in added.values())
    support: dict[int, set[int]] = {}
    for (row, _), value in added.items():
        support.setdefault(row, set()).add(value)
    return [
        count
        for count in range(max(least, told - reach), told + reach + 1)
        if told - count in support.get(row_of(count, last), {0})
    ]


def _boxed(table: Table, counts: list[list[int]]) -> Table:
    """The table whose counts above 0 must have two possible values."""
    nothing = np.zeros(table.n, np.int64)
    return table._replace(
        lower=np.array([own[0] for own in counts], np.int64),
        upper=np.array([own[-1] for own in counts], np.int64),
        status=np.where(table.value > 0, PRIMARY, SECONDARY).astype(np.int64),
        below=nothing,
        above=nothing,
        sliding=(table.value > 0).astype(np.int64),
    )
