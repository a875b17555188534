"""Every inequality is kept once; its whole numbers are a little weaker than its floats, never stronger."""

from __future__ import annotations

import numpy as np

from discreet.tabular.suppress.master import Master
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.pool import Pool
from discreet.tabular.suppress.requirements import requirements_of
from discreet.tabular.suppress.separation import ROUGH, separate
from discreet.work import Deadline
from tests.tabular.suppress.test_search import table


def filled() -> Pool:
    problem = table(np.random.default_rng(2), 4, 0.2)
    model = Model(problem, requirements_of(problem))
    master = Master(model)
    separate(master, model.forced.astype(float), np.arange(model.requirements.n), ROUGH, Deadline(None))
    return master.pool


def test_a_row_that_is_there_already_or_says_nothing_has_no_number() -> None:
    pool = filled()
    assert pool.cuts
    assert all(pool.add(cut) is None for cut in pool.cuts)
    assert pool.add(None) is None
    before = len(pool.cuts)
    assert pool.add_bridge(0, 1) == -1
    assert pool.add_bridge(0, 1) is None
    assert pool.add_bridge(1, 1) == -2
    assert len(pool.cuts) == before


def test_a_bridge_says_that_a_chosen_cell_is_not_alone_in_its_relation() -> None:
    pool = filled()
    model = pool.model
    relation = 2
    own = model.matrix[relation].indices
    choices = own[model.free[own]]
    number = pool.add_bridge(relation, int(choices[0]))
    assert number is not None
    row = pool.row(number)
    assert sorted(row.cell.tolist()) == sorted(choices.tolist())
    x = np.zeros(model.count)
    x[choices[0]] = 1
    assert row.value @ x[row.cell] < row.right
    x[choices[1]] = 1
    assert row.value @ x[row.cell] >= row.right
    assert pool.fine(number, 5)[1].tolist() == (row.value * 32).astype(int).tolist()


def test_fine_coefficients_are_rounded_up_by_at_most_a_unit_and_a_little() -> None:
    pool = filled()
    for number, cut in enumerate(pool.cuts):
        cells, fine, right = pool.fine(number, 20)
        assert np.array_equal(cells, cut.cell)
        assert right == 1
        for whole, coefficient in zip(fine.tolist(), cut.coefficient.tolist()):
            assert 0 <= whole * cut.right - (coefficient << 20) <= 1.01 * cut.right
