"""A shortfall is proven only where no table with fractions has the margins, and never more than the true one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import small_tables
from oracles.tables import margin_of
from scipy.optimize import linprog

from discreet.tables.outer.shortfall import least_shortfall
from discreet.tables.table import Margins, Table
from discreet.tables.theory.lattice import Lattice

THREE = ((0, 1), (1, 2), (0, 2))


def elastic(shape: tuple[int, ...], margins: dict[tuple[int, ...], np.ndarray]) -> float:
    """The least sum of deviations of the margins, each count of them a row, by one linear program."""
    n = int(np.prod(shape))
    units = np.eye(n).reshape(n, *shape)
    matrix = np.concatenate([np.stack([margin_of(u, g).reshape(-1) for u in units], axis=1) for g in margins])
    right = np.concatenate([values.reshape(-1) for values in margins.values()])
    one = np.eye(right.size)
    cost = np.concatenate([np.zeros(n), np.ones(2 * right.size)])
    return float(linprog(cost, A_eq=np.hstack([matrix, one, -one]), b_eq=right, method="highs").fun)


@given(small_tables())
@settings(max_examples=30, deadline=None)
def test_margins_of_a_table_miss_nothing(case: tuple[Table, Margins]) -> None:
    _, margins = case
    lattice = Lattice(margins.shape, tuple(margins.values))
    assert least_shortfall(lattice, {g: margins.values[g] for g in lattice.generators}) <= 0


@given(st.lists(st.integers(0, 5), min_size=3, max_size=3))
@settings(max_examples=40, deadline=None)
def test_positive_exactly_where_no_table_with_fractions_has_the_margins(diagonals: list[int]) -> None:
    """Pairs of variables with uniform margins of 5, more or less opposed: all agree, and some have no table."""
    margins = {g: np.array([[d, 5 - d], [5 - d, d]]) for g, d in zip(THREE, diagonals)}
    found = least_shortfall(Lattice((2, 2, 2), THREE), margins)
    truth = elastic((2, 2, 2), margins)
    assert (found > 0) == (truth > 1e-9)
    assert found <= truth + 1e-6


def test_proven_for_counts_near_two_to_the_sixty() -> None:
    huge = 1 << 58
    margins = {g: np.array([[0, huge], [huge, 0]]) for g in THREE}
    assert least_shortfall(Lattice((2, 2, 2), THREE), margins) > huge / 4
