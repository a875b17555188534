"""A linear program that grows, against one that is made at once."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import listed_groups, whole_master
from scipy.optimize import linprog

from discreet.solvers.master_lp import MasterLP, interior_point


def partition_program(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Costs, and columns of ones: start and index; the matrix itself; the points' duals are multipliers."""
    points = np.random.default_rng(seed).normal(size=(7, 2))
    members, sizes, costs = listed_groups(points, 2)
    start = np.append(0, np.cumsum(sizes)).astype(np.int32)
    index = members[members >= 0]
    matrix = np.zeros((7, len(costs)))
    matrix[index, np.repeat(np.arange(len(costs)), sizes)] = 1.0
    return points, costs, start, index, matrix


@pytest.mark.parametrize("seed", range(4))
def test_columns_added_in_two_steps_give_the_same_optimum_and_a_dual_proof(seed: int) -> None:
    points, costs, start, index, matrix = partition_program(seed)
    half = len(costs) // 2
    lp = MasterLP(np.ones(7), np.ones(7))
    lp.add_columns(costs[:half], start[: half + 1], index[: start[half]], np.ones(start[half]))
    first = lp.solve()
    rest = index[start[half] :]
    lp.add_columns(costs[half:], start[half:] - start[half], rest, np.ones(len(rest)))
    solution = lp.solve()
    expected = linprog(costs, A_eq=matrix, b_eq=np.ones(7)).fun
    assert solution.solved and solution.value == pytest.approx(expected, abs=1e-9)
    assert solution.value == pytest.approx(whole_master(points, 2)[3], abs=1e-9)
    assert not first.solved or first.value >= solution.value - 1e-9
    assert solution.duals.sum() == pytest.approx(expected, abs=1e-8)
    assert (costs - solution.duals @ matrix).min() > -1e-8
    middle = interior_point(costs, 7, start, index, np.ones(len(index)), tolerance=1e-9)
    assert middle.solved and middle.value == pytest.approx(expected, abs=1e-6)
    assert (costs - middle.duals @ matrix).min() > -1e-6


def small() -> MasterLP:
    """minimize x + 3y subject to x + y = 1: x = 1."""
    lp = MasterLP(np.ones(1), np.ones(1))
    lp.add_columns(np.array([1.0, 3.0]), np.array([0, 1, 2]), np.array([0, 0]), np.ones(2))
    return lp


def test_rows_and_closed_columns_bind_until_they_are_gone() -> None:
    lp = small()
    assert lp.solve().x.tolist() == [1.0, 0.0]
    lp.add_rows(np.array([-np.inf]), np.array([0.25]), np.array([0, 1]), np.array([0]), np.ones(1))
    bound = lp.solve()
    assert bound.value == pytest.approx(2.5) and bound.duals.tolist() == pytest.approx([3.0, -2.0])
    lp.delete_rows(np.array([1], np.int32))
    assert lp.rows == 1 and lp.solve().value == pytest.approx(1.0)
    lp.close_columns(np.array([0], np.int32))
    assert lp.solve().value == pytest.approx(3.0)
    lp.close_columns(np.array([0], np.int32), reopen=True)
    assert lp.solve().value == pytest.approx(1.0)
    lp.close_columns(np.array([0, 1], np.int32))
    assert lp.glance(100) == np.inf


def test_a_basis_is_returned_to_after_rows_were_added() -> None:
    lp = small()
    lp.solve()
    basis = lp.basis()
    assert lp.basis() is basis
    lp.add_rows(np.array([-np.inf]), np.array([0.25]), np.array([0, 1]), np.array([0]), np.ones(1))
    lp.solve()
    lp.restore(basis)
    columns, rows = lp.is_basic(basis)
    assert columns.tolist() == [True, False] and rows.tolist() == [False, True], "a later row is basic"
    assert lp.part_of(basis, np.array([0]), np.array([0])).basic.tolist() == [0]
    assert lp.solve().value == pytest.approx(2.5)
