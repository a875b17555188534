"""Relations between cells: what each misses, and which cells are hidden."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.patterns import random_problem

from discreet.tabular.problem import FIXED, FREE, LETTERS, PRIMARY, SECONDARY


@pytest.mark.parametrize("seed", range(30))
def test_residuals_are_the_sums_term_by_term(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    relations = problem.relations
    assert not relations.residuals(problem.cells.value).any()
    values = rng.integers(-(10**12), 10**12, problem.cells.n)
    expected = []
    for r in range(relations.n):
        places = range(relations.start[r], relations.start[r + 1])
        expected.append(
            sum(int(relations.sign[q]) * int(values[relations.cell[q]]) for q in places) - relations.right[r]
        )
    assert relations.residuals(values).tolist() == expected


def test_primaries_and_secondaries_are_hidden_and_nothing_else() -> None:
    problem = random_problem(np.random.default_rng(0))
    n = problem.cells.n
    for status, hidden in ((PRIMARY, True), (SECONDARY, True), (FREE, False), (FIXED, False)):
        cells = problem.cells._replace(status=np.full(n, status, np.int8))
        assert (cells.hidden == hidden).all()
    assert [LETTERS[code] for code in (PRIMARY, SECONDARY, FREE, FIXED)] == list("umsz")
