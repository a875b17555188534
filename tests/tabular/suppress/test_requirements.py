"""Requirements of a problem against a list made attacker by attacker, cell by cell."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.tabular.problem import PRIMARY, Problem
from discreet.tabular.suppress.requirements import requirements_of
from tests.tabular.suppress.conftest import problems


@settings(max_examples=40, deadline=None)
@given(problem=problems(), attackers=st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=3), max_size=2))
def test_one_requirement_for_each_attacker_cell_and_side(problem: Problem, attackers: list[list[int]]) -> None:
    cells, expected = problem.cells, set()
    for a, known in enumerate([[], *attackers]):
        for p in np.flatnonzero(cells.status == PRIMARY).tolist():
            if p in known:
                continue
            above, below, sliding = int(cells.above[p]), int(cells.below[p]), int(cells.sliding[p])
            asked = [(1, above), (-1, below), (0, sliding if sliding > above + below else 0)]
            expected |= {(a, p, side, need) for side, need in asked if need > 0}
    found = requirements_of(problem, attackers)
    told = list(zip(found.attacker.tolist(), found.cell.tolist(), found.side.tolist(), found.need.tolist()))
    assert len(told) == found.n
    assert set(told) == expected
    assert len(told) == len(expected)
    assert found.known_to(0).size == 0
    for a, known in enumerate(attackers):
        assert found.known_to(a + 1).tolist() == sorted(set(known))
    part = found.part(np.arange(found.n)[::2])
    assert part.cell.tolist() == found.cell[::2].tolist()
    assert part.need.tolist() == found.need[::2].tolist()
    assert np.array_equal(part.known, found.known)
