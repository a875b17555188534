"""What protects what: against every table that is left when one more cell is published."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import random_problem, short, truth

import discreet as dc
from discreet.tabular.audit import guards, protects
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Problem


def published_as_well(problem: Problem, cell: int) -> Problem:
    status = problem.cells.status.copy()
    status[cell] = FREE
    return problem._replace(cells=problem.cells._replace(status=status))


@given(st.integers(0, 2**32))
def test_whoever_falls_short_without_a_cell_needs_it(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    found = protects(problem)
    if found.exposed or found.undecided or truth(problem) is None:
        return
    for guard in guards(problem, found).guards:
        assert problem.cells.status[guard.cell] == SECONDARY
        ends = truth(published_as_well(problem, guard.cell))
        assert ends is not None
        needing = {cell for cell, _ in short(published_as_well(problem, guard.cell), ends)}
        assert needing <= set(guard.protects), "whoever falls short is named"
        again = protects(published_as_well(problem, guard.cell))
        assert set(guard.protects) == {each.cell for each in (*again.exposed, *again.undecided)}


def frame() -> object:
    import pandas as pd

    rng = np.random.default_rng(2)
    return pd.DataFrame({"region": rng.choice(list("NSWE"), 90), "sector": rng.choice(list("abcde"), 90)})


def test_the_report_maps_them_and_the_public_page_does_not() -> None:
    result = dc.suppress(dc.tabulate(frame(), by=["region", "sector"], rules=["frequency=4"]), cost="unit")
    maps = [section for section in result.sections() if section.title.startswith("What protects what")]
    assert maps
    assert all(section.confidential for section in maps)
    texts = [text for line in maps[0].nested.lines for text, kind in line.cells if kind == "secondary"]
    assert len(texts) == result.secondary
    assert all(text.startswith("for ") for text in texts), "a pattern that was cleaned up hides nothing in vain"
    assert "What protects what" not in result.public("t")


def test_a_large_pattern_is_told_by_its_witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    result = dc.suppress(dc.tabulate(frame(), by=["region", "sector"], rules=["frequency=4"]), cost="unit")
    problem = result.table.problem
    tried = guards(problem, result.audit)
    monkeypatch.setattr(sys.modules[guards.__module__], "TRIALS", 0)
    moved = guards(problem, result.audit)
    assert tried.tried and not moved.tried
    assert [guard.cell for guard in moved.guards] == [guard.cell for guard in tried.guards]
    for few, many in zip(tried.guards, moved.guards):
        assert set(few.protects) <= set(many.protects), "what no witness moves, none needs"
        assert all(problem.cells.status[cell] == PRIMARY for cell in many.protects)
