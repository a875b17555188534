"""The original shuttle against the same rule written cell by cell in Python's integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.table_cases import small_tables

from discreet.tables.outer.buzzigoli_giusti import buzzigoli_giusti
from discreet.tables.table import Margins, Table


def cell_by_cell(
    shape: tuple[int, ...], margins: dict[tuple[int, ...], np.ndarray]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Every released count and every cell of it in turn, until nothing moves."""
    cells = list(np.ndindex(*shape))
    lower = dict.fromkeys(cells, 0)
    upper = dict.fromkeys(cells, sum(next(iter(margins.values())).ravel().tolist()))
    moved = True
    while moved:
        moved = False
        for axes, values in margins.items():
            for place in np.ndindex(*values.shape):
                own, known = [c for c in cells if tuple(c[a] for a in axes) == place], int(values[place])
                for c in own:
                    low = max(lower[c], known - sum(upper[o] for o in own if o != c))
                    high = min(upper[c], known - sum(lower[o] for o in own if o != c))
                    moved |= (low, high) != (lower[c], upper[c])
                    lower[c], upper[c] = low, high
                    if low > high:
                        return None
    return tuple(np.array([bound[c] for c in cells], object).reshape(shape) for bound in (lower, upper))  # type: ignore[return-value]


@given(small_tables(most=6))
@settings(max_examples=80, deadline=None)
def test_bounds_are_those_of_the_rule_cell_by_cell(case: tuple[Table, Margins]) -> None:
    _, margins = case
    found, slow = buzzigoli_giusti(margins.shape, margins.values), cell_by_cell(margins.shape, margins.values)
    assert found is not None
    assert slow is not None
    assert np.array_equal(found[0], slow[0])
    assert np.array_equal(found[1], slow[1])


def test_a_cell_that_exceeds_its_row_leaves_no_table() -> None:
    margins = {(0,): np.array([1, 9]), (0, 1): np.array([[3, 0], [0, 7]])}
    assert cell_by_cell((2, 2), margins) is None
    assert buzzigoli_giusti((2, 2), margins) is None


def test_sums_of_bounds_beyond_machine_numbers_do_not_wrap_around() -> None:
    """Each of 24 upper bounds is 2^60: those of a row sum to more than 64 bits hold."""
    half = 1 << 60
    margins = {(0,): np.array([half, half])}
    found, slow = buzzigoli_giusti((2, 12), margins), cell_by_cell((2, 12), margins)
    assert found is not None
    assert slow is not None
    assert np.array_equal(found[0].astype(object), slow[0])
    assert np.array_equal(found[1].astype(object), slow[1])
