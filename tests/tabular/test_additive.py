"""Names of cells and relations, and what cannot be."""

from __future__ import annotations

import numpy as np
import pandas as pd

import discreet as dc
from discreet.errors import Faults
from discreet.frames.tabular.problems import parse_problem
from discreet.instruments.totals.additive import _from_problem
from discreet.tabular.additive import AdditiveTable, check_levels, check_table

FRAME = pd.DataFrame({"one": ["a", "a", "b"], "two": ["x", "y", "x"], "x": [5, 7, 9]})


def table() -> AdditiveTable:
    return dc.tabulate(FRAME, ["one", "two"], value="x", rules=["frequency=2"]).table


def changed(found: AdditiveTable, **columns: np.ndarray) -> AdditiveTable:
    return found.with_problem(found.problem._replace(cells=found.problem.cells._replace(**columns)))


def faults_of(found: AdditiveTable) -> str:
    faults = Faults()
    check_table(found, faults)
    check_levels(found, faults)
    return str(faults._found)


def test_names() -> None:
    found = table()
    names = [found.name(i) for i in range(found.cells)]
    assert names[0] == "one = Total, two = Total"
    assert "one = a, two = y" in names
    relations = [found.relation_name(r) for r in range(found.problem.relations.n)]
    assert "the sum over two that is one = a, two = Total" in relations
    assert "the sum over one that is one = Total, two = Total" in relations
    problem = parse_problem("0\n2\n0 4 1 s 0 9 0 0 0\n1 4 1 s 0 9 0 0 0\n1\n0 2 : 0 (-1) 1 (1)\n")
    bare = _from_problem(problem, rounded=False)
    assert (bare.name(1), bare.relation_name(0)) == ("cell 1", "relation 0 (of cell 0)")


def test_a_sound_table_has_no_faults() -> None:
    assert faults_of(table()) == "[]"


def test_each_fault_is_named_by_labels() -> None:
    found = table()
    cells = found.problem.cells
    at = [found.labels(i) for i in range(found.cells)].index(("a", "y"))
    one = np.zeros(found.cells, np.int64)
    one[at] = 1
    assert "the sum over two that is one = a, two = Total does not add up" in faults_of(
        changed(found, value=cells.value + one)
    )
    assert "one = a, two = y has a value outside" in faults_of(changed(found, upper=cells.value - one))
    assert "one = a, two = y has a protection level below 0" in faults_of(changed(found, below=cells.below - 9 * one))
    assert "one = a, two = y has a cost below 0" in faults_of(changed(found, cost=cells.cost - 2 * one))
    for name in ("above", "below", "sliding"):
        told = faults_of(changed(found, **{name: getattr(cells, name) + 1000 * one}))
        assert "one = a, two = y has a protection level that nobody can reach" in told
    assert "2^61" in faults_of(changed(found, upper=cells.upper + one * (1 << 61)))


def test_many_faults_are_counted() -> None:
    found = table()
    told = faults_of(changed(found, cost=found.problem.cells.cost - 2))
    assert told.count("cost below 0") == 5
    assert f"{found.cells - 5} more cells" in told
