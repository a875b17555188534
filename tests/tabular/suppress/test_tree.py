"""Branch and cut: grown to its end it proves the cheapest pattern, cut off early it proves no more than is true."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.tabular_suppress import cheapest, protects, proven_bound

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.certificate import certificate_of
from discreet.tabular.suppress.requirements import requirements_of
from discreet.tabular.suppress.state import State
from discreet.tabular.suppress.tree import Tree
from discreet.work import Deadline, Reporter
from tests.tabular.suppress.conftest import problems
from tests.tabular.suppress.test_search import table


class Counted(Deadline):
    """Passes after so many questions."""

    def __init__(self, most: int) -> None:
        super().__init__(None)
        self.left = most

    @property
    def passed(self) -> bool:
        self.left -= 1
        return self.left < 0


def planted(problem: Problem, deadline: Deadline) -> Tree | None:
    """A tree over nothing but the first pattern: no cut has been looked for yet."""
    state = State(problem, requirements_of(problem), Deadline(None), Reporter(None))
    if state.hard.size:
        state.repair(state.model.forced)
        if state.best is None:
            return None
    else:
        state.keep_forced()
    state.deadline = deadline
    return Tree(state)


def place_of(tree: Tree, pattern: np.ndarray) -> int | None:
    """The node that a pattern comes to; None where it is fixed away."""
    number = 0
    while True:
        node = tree.nodes[number]
        if node.branch >= 0:
            number = node.children[int(pattern[node.branch])]
        elif node.then >= 0:
            if pattern[node.zero].any() or not pattern[node.one].all():
                return None
            number = node.then
        else:
            return number


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems(), looks=st.sampled_from([1, 2, 3, 5, 1000]))
def test_what_is_proven_is_true_and_at_the_end_all_of_it(problem: Problem, looks: int) -> None:
    best = cheapest(problem)
    tree = planted(problem, Counted(looks))
    if tree is None:
        return
    assert best is not None
    tree.grow()
    constant = tree.model.constant
    assert tree.proven() + constant <= best <= tree.state.cost
    assert tree.bound() + constant <= best + 1e-6
    if looks == 1000:
        assert tree.complete and tree.state.cost == best == tree.proven() + constant
    # Whatever protects and is cheaper than the best so far is still to be found: no leaf that is done holds it.
    waiting = {task.node for task in (*tree._stack, *tree._open)}
    free = np.flatnonzero(tree.model.free)
    for chosen in itertools.product((False, True), repeat=free.size):
        pattern = tree.model.forced.copy()
        pattern[free] = chosen
        if tree.model.cost_of(pattern) < tree.state.cost and protects(problem, pattern):
            assert place_of(tree, pattern) in waiting


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_a_tree_that_branches_ends_where_cuts_alone_do_not(seed: int) -> None:
    problem = table(np.random.default_rng(seed), 9, 0.1)
    tree = planted(problem, Deadline(None))
    assert tree is not None
    tree.grow()
    assert tree.complete and tree.proven() + tree.model.constant == tree.state.cost
    branches = [node for node in tree.nodes if node.branch >= 0]
    leaves = [node for node in tree.nodes if node.branch < 0 and node.then < 0]
    assert branches and len(leaves) == len(branches) + 1
    # Every leaf and every value that was fixed away is proven in fractions, by an oracle that reads the certificate.
    certificate = certificate_of(tree.state, tree, "optimal", int(tree.state.cost))
    assert proven_bound(problem, certificate) == tree.state.cost
