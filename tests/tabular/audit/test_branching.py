"""Branch and bound against a list of every table: moves are tables, and trees are proofs that add up."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.tabular.audit.branching import MOST, Branch, Leaf, Tree, empties, small, whole_table
from discreet.tabular.audit.system import Component, components, hidden_system
from discreet.work import Deadline


def assert_proves(own: Component, tree: Tree, low: np.ndarray, high: np.ndarray, number: int = 0) -> None:
    """Every leaf is empty in Python's own numbers, and two branches cover all of a node."""
    node = tree[number]
    if isinstance(node, Leaf):
        slope = [0] * own.n
        for row, multiplier in zip(node.row.tolist(), node.multiplier.tolist()):
            for t in range(own.start[row], own.start[row + 1]):
                slope[own.column[t]] += multiplier * int(own.sign[t])
        assert sum(max(c * int(a), c * int(b)) for c, a, b in zip(slope, low, high)) < 0
        return
    assert isinstance(node, Branch) and low[node.column] <= node.at < high[node.column]
    under, over = high.copy(), low.copy()
    under[node.column], over[node.column] = node.at, node.at + 1
    assert_proves(own, tree, low, under, node.below)
    assert_proves(own, tree, over, high, node.above)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_every_goal_is_settled_as_the_list_says(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    moves = all_moves(problem)
    if moves is None:
        return
    for own in components(hidden_system(problem)):
        assert small(own)
        mine = moves[:, own.place]
        for column in range(min(own.n, 4)):
            for side in (1, -1):
                end = int((side * mine[:, column]).max())
                box = int(own.high[column] if side > 0 else -own.low[column])
                for goal in {end, end + 1, box}:
                    move, tree = whole_table(own, column, side, side * goal, Deadline(None))
                    if goal <= end:
                        assert tree is None and move is not None and side * move[column] >= goal
                        assert tuple(move.tolist()) in {tuple(row) for row in mine.tolist()}
                    elif goal <= box:
                        assert move is None and tree is not None
                        low, high = own.low.copy(), own.high.copy()
                        (low if side > 0 else high)[column] = side * goal
                        assert_proves(own, tree, low, high)
                    else:
                        assert move is None and tree is None


def test_multipliers_that_leave_a_table_prove_nothing() -> None:
    matrix = sp.csr_matrix(np.array([[1, -1]]))
    low, high = np.array([2, 0]), np.array([3, 1])
    assert empties(matrix, low, high, np.array([-1])) and not empties(matrix, low, high, np.array([1]))
    assert not empties(matrix, low, np.array([3, 2]), np.array([-1])), "2 - 2 is 0"


def test_large_components_and_passed_deadlines_are_left_alone() -> None:
    problem = random_problem(np.random.default_rng(5))
    own = components(hidden_system(problem))[0]
    wide = own._replace(high=own.high + 2**30)
    assert not small(wide)
    many = np.zeros(MOST + 1, np.int64)
    assert not small(own._replace(place=many, low=many, high=many))
    assert whole_table(own, 0, 1, int(own.high[0]), Deadline(0.0)) == (None, None)
