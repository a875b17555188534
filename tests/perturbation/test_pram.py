from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.perturbation.pram import donors, draw, invariant, matrix_faults, two_stage
from discreet.perturbation.randoms import Randoms
from tests.oracles import perturbation as oracle

SHARES = st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any).map(lambda c: np.array(c) / sum(c))


@st.composite
def matrices(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    shares = draw(SHARES)
    m = len(shares)
    rows = [draw(st.lists(st.integers(0, 5), min_size=m, max_size=m).filter(any)) for _ in range(m)]
    return np.array([np.array(row) / sum(row) for row in rows]), shares


@given(SHARES, st.floats(0, 1))
def test_the_matrix_of_donors_is_invariant(shares: np.ndarray, stay: float) -> None:
    matrix = invariant(shares, stay)
    assert not matrix_faults(matrix, shares)
    assert shares @ matrix == pytest.approx(shares)


@given(matrices())
def test_two_stages_make_any_matrix_invariant(given_: tuple[np.ndarray, np.ndarray]) -> None:
    matrix, shares = given_
    made = two_stage(matrix, shares)
    assert made == pytest.approx(oracle.two_stage(matrix, shares))
    assert shares @ made == pytest.approx(shares)
    there = shares > 0
    assert made[there].sum(axis=1) == pytest.approx(np.ones(there.sum()))


def test_wrong_matrices_are_named() -> None:
    shares = np.array([0.5, 0.5])
    for matrix, word in (
        (np.eye(3), "square"),
        (np.array([[1.2, -0.2], [0.0, 1.0]]), "probabilities"),
        (np.array([[np.nan, 1.0], [0.0, 1.0]]), "probabilities"),
        (np.array([[0.5, 0.4], [0.0, 1.0]]), "sum to 1"),
        (np.array([[0.5, 0.5], [0.0, 1.0]]), "invariant"),
    ):
        (fault,) = matrix_faults(matrix, shares)
        assert word in fault


def test_a_drawn_category_follows_its_row_and_never_has_probability_zero() -> None:
    matrix = np.array([[0.5, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0], [0.1, 0.2, 0.7, 0.0], [0.0, 0.0, 0.0, 1.0]])
    codes = np.repeat([0, 1, 2], 20_000)
    drawn = draw(codes, matrix, Randoms.of(1), "x")
    for category in range(3):
        shares = np.bincount(drawn[codes == category], minlength=4) / 20_000
        assert (shares[matrix[category] == 0] == 0).all()
        assert np.abs(shares - matrix[category]).max() < 0.02


def test_donors_stay_in_their_stratum_and_are_drawn_evenly() -> None:
    strata = np.repeat([0, 1], 30_000)
    codes = np.tile([0, 0, 0, 1], 15_000)
    found = donors(strata, 0.6, Randoms.of(1), "x")
    assert (strata[found] == strata).all()
    kept = found == np.arange(len(found))
    assert abs(kept.mean() - 0.6) < 0.02
    table = np.zeros((2, 2))
    np.add.at(table, (codes, codes[found]), 1)
    shares = np.array([0.75, 0.25])
    assert table / table.sum(axis=1, keepdims=True) == pytest.approx(invariant(shares, 0.6), abs=0.02)
