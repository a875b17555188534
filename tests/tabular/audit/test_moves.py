"""Moves that keep every relation: the quick test against the definition, and fractions next to vertices."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import random_problem

from discreet.tabular.audit.moves import _common, fraction, holds
from discreet.tabular.audit.system import Component, components, hidden_system


def matrix_of(component: Component) -> np.ndarray:
    rows = np.zeros((component.start.size - 1, component.n), np.int64)
    for r in range(rows.shape[0]):
        own = slice(component.start[r], component.start[r + 1])
        np.add.at(rows[r], component.column[own], component.sign[own].astype(np.int64))
    return rows


@given(st.integers(0, 2**32), st.integers(1, 3))
def test_a_move_holds_where_every_relation_and_box_does(seed: int, denominator: int) -> None:
    rng = np.random.default_rng(seed)
    for component in components(hidden_system(random_problem(rng)))[:2]:
        matrix = matrix_of(component)
        for _ in range(20):
            change = rng.integers(component.low * denominator - 1, component.high * denominator + 2)
            if rng.random() < 0.5:
                change[:] = 0
            inside = (change >= component.low * denominator).all() and (change <= component.high * denominator).all()
            assert holds(component, change, denominator) == bool(inside and not (matrix @ change).any())


def square() -> Component:
    """Two rows and two columns of cells that may move by one: +1 -1 / -1 +1 is the only move."""
    start, column = np.array([0, 2, 4, 6, 8]), np.array([0, 1, 2, 3, 0, 2, 1, 3])
    sign = np.ones(8, np.int8)
    ones = np.ones(4, np.int64)
    return Component(np.arange(4), np.arange(4), start, column, sign, -ones, ones)


def test_fractions_next_to_a_vertex_are_found_exactly() -> None:
    third = np.array([1 / 3, -1 / 3, -1 / 3, 1 / 3])
    found = fraction(square(), third + 1e-9)
    assert found is not None
    change, denominator = found
    assert denominator == 3
    assert change.tolist() == [1, -1, -1, 1]
    assert fraction(square(), np.array([1 / 3, -1 / 3, -1 / 3, 0.0])) is None, "keeps no relation"
    whole = fraction(square(), np.array([1.0, -1.0, -1.0, 1.0]))
    assert whole is not None and whole[1] == 1


@given(st.lists(st.integers(1, 12), min_size=1, max_size=3), st.integers(0, 2**32))
def test_common_denominators(denominators: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = np.array([rng.integers(0, d) / d for d in denominators])
    common = _common(parts)
    assert common > 0
    assert np.abs(parts * common - np.rint(parts * common)).max() < 1e-4 * common
    assert common <= int(np.lcm.reduce(denominators))


def test_sums_that_machine_numbers_do_not_hold_are_no_witness() -> None:
    wide = square()._replace(high=np.full(4, 2**61), low=np.full(4, -(2**61)))
    assert not holds(wide, np.array([1, -1, -1, 1]))
