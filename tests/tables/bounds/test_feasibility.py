from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from oracles.tables import all_tables

import discreet as dc
from discreet.solvers import cpsat


def margins_of(values: dict[tuple[int, ...], np.ndarray], shape: tuple[int, ...]) -> dc.Margins:
    names = tuple(f"V{a + 1}" for a in range(len(shape)))
    return dc.Margins(names, tuple(tuple(range(s)) for s in shape), {k: np.asarray(v) for k, v in values.items()})


def test_no_non_negative_table() -> None:
    opposed = np.array([[0, 1], [1, 0]])
    wrong = margins_of({(0, 1): opposed, (1, 2): opposed, (0, 2): opposed}, (2, 2, 2))
    with pytest.raises(dc.InfeasibleError, match=r"no table of non-negative counts has the margins .*V1 V2.*V1 V3"):
        dc.bounds(wrong)


def test_only_the_guilty_margins_are_named() -> None:
    opposed = np.array([[0, 1], [1, 0]])
    values = {(0, 1): opposed, (1, 2): opposed, (0, 2): opposed, (2, 3): np.array([[1, 0], [0, 1]])}
    with pytest.raises(dc.InfeasibleError) as caught:
        dc.bounds(margins_of(values, (2, 2, 2, 2)), method="exact")
    assert "[V3 V4]" not in str(caught.value)


@pytest.mark.skipif(not cpsat.available(), reason="needs OR-Tools (extra: exact)")
def test_a_real_table_but_no_whole_one() -> None:
    # All two-way margins of a 2x2x2x2 table are 1. x = 1/4 has them; 4 runs in 4 factors are no orthogonal array.
    ones = np.ones((2, 2), np.int64)
    given = margins_of(dict.fromkeys(combinations(range(4), 2), ones), (2, 2, 2, 2))
    assert next(all_tables((2, 2, 2, 2), given.values), None) is None
    with pytest.raises(dc.InfeasibleError, match=r"no table of whole numbers .*only tables with fractions"):
        dc.bounds(given)
