"""Bounds from weights of inequalities hold for every pattern that satisfies these, whatever the weights are."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.master import Master
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.proof import empty_proof, proof_of
from discreet.tabular.suppress.requirements import requirements_of
from discreet.tabular.suppress.separation import ROUGH, separate
from discreet.work import Deadline
from tests.tabular.suppress.conftest import problems


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(problem=problems(), data=st.data())
def test_no_pattern_that_satisfies_the_rows_is_cheaper_than_the_bound(problem: Problem, data: st.DataObject) -> None:
    model = Model(problem, requirements_of(problem))
    master = Master(model)
    separate(master, model.forced.astype(float), np.arange(model.requirements.n), ROUGH, Deadline(None))
    master.add_bridges(np.where(model.open, np.arange(model.count) % 2, model.forced).astype(float))
    assume(master.rows)
    size = len(master.rows)
    duals = np.array(data.draw(st.lists(st.floats(0, 9), min_size=size, max_size=size)))
    proof = proof_of(master.pool, master.rows, duals)
    assert proof is not None
    nothing = empty_proof(master.pool)
    free = np.flatnonzero(model.free)
    held = data.draw(st.lists(st.sampled_from("01??"), min_size=free.size, max_size=free.size))
    zero, one = ~model.free, np.zeros(model.count, np.bool_)
    zero[free], one[free] = [h == "0" for h in held], [h == "1" for h in held]
    rows = [master.pool.row(number) for number in master.rows]
    for chosen in itertools.product((False, True), repeat=free.size):
        x = np.zeros(model.count, np.bool_)
        x[free] = chosen
        if (x & zero).any() or (one & ~x).any():
            continue
        cost = int(problem.cells.cost[x].sum())
        assert nothing.bound(zero, one) <= cost
        if all(float(row.value @ x[row.cell]) >= row.right - 1e-9 for row in rows):
            assert proof.bound(zero, one) <= cost * proof.denominator


def test_weights_too_large_for_whole_numbers_prove_nothing() -> None:
    from tests.tabular.suppress.test_search import table

    problem = table(np.random.default_rng(2), 4, 0.2)
    model = Model(problem, requirements_of(problem))
    master = Master(model)
    separate(master, model.forced.astype(float), np.arange(model.requirements.n), ROUGH, Deadline(None))
    assert master.rows
    assert proof_of(master.pool, master.rows, np.full(len(master.rows), 2.0**40)) is None
