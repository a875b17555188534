"""A table that adds up with what is published: there is one exactly where the list of all tables has one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import random_problem

from discreet.tabular.possible import possible_values


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_the_true_table_or_another_is_found(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    unknown, value = problem.cells.hidden, problem.cells.value
    least, most = int(value.min()), int(value.max())
    found = possible_values(problem, unknown, least, most)
    assert found is not None and not problem.relations.residuals(found).any()
    assert np.array_equal(found[~unknown], value[~unknown])
    assert ((found >= least) & (found <= most)).all()
    if not unknown.any():
        return
    hidden = np.flatnonzero(unknown)[0]
    narrow = possible_values(problem, np.arange(value.size) == hidden, int(value[hidden]) + 1, most + 1)
    apart = (problem.relations.cell == hidden).any()
    assert (narrow is None) == bool(apart), "all others published, it is what it is"
