"""The pattern of a large table: chains, audited with their own witnesses before it is given out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError, UnsafeReleaseError
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit import Intervals, protects
from discreet.tabular.problem import Ints
from discreet.tabular.relations import Grid, strides
from discreet.tabular.suppress import Conflict, Suppression
from discreet.tabular.suppress.chains import suppress_large
from discreet.work import Deadline, Reporter

Flags = NDArray[np.bool_]
UNCONFIRMED = "the audit does not confirm the pattern that was found, so it is not given out"
# Tables with more cells get a first pattern from chains where there is a time limit; with more than the second number
# the exact search is not begun.
LARGE, EXACT = 20_000, 150_000
_AGAIN = 3


def large_pattern(
    table: AdditiveTable, attackers: Sequence[Ints], deadline: Deadline, reporter: Reporter, seed: int
) -> tuple[Suppression, Intervals] | Conflict:
    """A pattern that the audit confirms, or what makes every pattern impossible.

    Witnesses of chains are exact. Where a linear program was asked instead and was off by a hair, levels are asked for
    a little more.
    """
    problem = asked = table.problem
    for _ in range(_AGAIN):
        found, witnesses = suppress_large(asked, _grid(table), attackers, deadline, reporter, seed=seed)
        if isinstance(found, Conflict):
            if asked is problem:
                return found
            break
        if found is None:
            raise InputError("the time limit passed before a first pattern was found: allow more seconds")
        moves = [(w.cell, move) for w in witnesses for move in (w.rise, w.fall) if move is not None]
        knowing = [own for own in attackers if found.hidden[own].any()]
        intervals = protects(problem, found.hidden, known=knowing, moves=moves)
        short = [*intervals.exposed, *intervals.undecided]
        if not short:
            return found, intervals
        cells = asked.cells
        missed = np.zeros(cells.n, np.bool_)
        missed[[each.cell for each in short]] = True
        levels = (np.where(missed & (own > 0), own + 1 + own // 10**6, own) for own in (cells.below, cells.above))
        asked = asked._replace(cells=cells._replace(below=next(levels), above=next(levels)))
    raise UnsafeReleaseError(UNCONFIRMED)


def _grid(table: AdditiveTable) -> Grid | None:
    """The keys of the cells, where they have labels."""
    if not table.trees:
        return None
    keys = np.zeros(table.cells, np.int64)
    for v, step in enumerate(strides(table.trees)):
        keys += table.codes[:, v].astype(np.int64) * step
    return Grid(table.trees, keys)
