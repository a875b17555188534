"""Branch and cut: grown to its end it proves the cheapest pattern, cut off early it proves no more than is true."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.tabular_suppress import cheapest, protects, proven_bound

from discreet.solvers.warm_lp import WarmSolution
from discreet.tabular.problem import Problem
from discreet.tabular.suppress.certificate import certificate_of
from discreet.tabular.suppress.proof import proof_of
from discreet.tabular.suppress.requirements import requirements_of
from discreet.tabular.suppress.state import State
from discreet.tabular.suppress.tree import Tree, _Task
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


def test_looks_before_a_branching_prove_more_of_the_children_than_their_parent_does() -> None:
    tree = planted(table(np.random.default_rng(0), 8, 0.1), Counted(6))
    assert tree is not None
    tree.grow()
    last = [tree.nodes[task.node].proof for task in tree._stack[-2:]]  # the children of the last branching
    assert len(set(last)) == 2
    for task in tree._stack:
        proof = tree.proofs[tree.nodes[task.node].proof]
        assert proof.bound(task.zero, task.one) <= (task.bound + 1e-6) * proof.denominator


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


class Watched(Tree):
    """Notes what each fixing held, what it could have held, and what it must not have."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.held, self.missed, self.unproven = 0, 0, 0

    def _fix(self, task: _Task, solution: WarmSolution) -> None:
        zero, one = task.zero.copy(), task.one.copy()
        proof = proof_of(self.master.pool, self.master.rows, solution.duals)
        super()._fix(task, solution)
        if solution.status != "optimal" or proof is None:
            assert (task.zero == zero).all() and (task.one == one).all()
            return
        for cell, x in zip(self.master.cells.tolist(), solution.x.tolist()):
            if zero[cell] or one[cell]:
                continue
            other = np.zeros(zero.size, np.bool_)
            other[cell] = True
            # What the least cost is once the cell takes the value that it does not have.
            dear = proof.bound(zero, one | other) if x < 0.5 else proof.bound(zero | other, one)
            beyond = dear / proof.denominator - self.target
            fixed = bool(task.zero[cell] if x < 0.5 else task.one[cell])
            assert not (task.one[cell] if x < 0.5 else task.zero[cell])
            self.held += fixed
            self.missed += not fixed and beyond > 1e-3  # floats may differ from fractions by less
            self.unproven += fixed and dear <= self.target * proof.denominator


@pytest.mark.parametrize(("size", "seed", "hidden"), [(9, 1, 0), (9, 5, 0), (7, 7, 1)])
def test_every_cell_whose_other_value_is_proven_too_dear_is_fixed_and_no_other(
    size: int, seed: int, hidden: int
) -> None:
    started = planted(table(np.random.default_rng(seed), size, 0.1), Deadline(None))
    assert started is not None
    tree = Watched(started.state)
    tree.grow()
    assert tree.complete and tree.held > 40
    assert sum(node.one.size for node in tree.nodes) >= hidden
    assert tree.missed == 0 and tree.unproven == 0
