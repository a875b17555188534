"""Every row that is built holds for every pattern that protects, whatever the multipliers, cover and divisor are."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracles.tabular_suppress import Rows, protects

from discreet.tabular.problem import FREE, Problem
from discreet.tabular.suppress.capacity import Source, cut_of, stronger
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.requirements import requirements_of
from tests.tabular.suppress.conftest import problems


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(problem=problems(), data=st.data())
def test_rows_hold_for_patterns_that_protect(problem: Problem, data: st.DataObject) -> None:
    needs = requirements_of(problem)
    assume(needs.n > 0)
    model = Model(problem, needs)
    r = data.draw(st.integers(0, needs.n - 1))
    size = problem.relations.n
    up, down = (
        np.array(data.draw(st.lists(st.integers(-2, 2), min_size=size, max_size=size)), np.int64) for _ in range(2)
    )
    nothing = np.zeros(0, np.int64)
    rows = [(np.flatnonzero(each), each[np.flatnonzero(each)]) for each in (up, down if not needs.side[r] else nothing)]
    source = Source(r, data.draw(st.integers(1, 3)), *rows[0], *rows[1], nothing, 0)
    cut = cut_of(model, source)
    assume(cut is not None)
    x = model.forced.astype(float)
    free = np.flatnonzero(problem.cells.status == FREE)
    x[free] = data.draw(st.lists(st.sampled_from([0.0, 0.3, 0.7, 1.0]), min_size=free.size, max_size=free.size))
    better = stronger(model, cut, x, least=0.0)
    cuts = [cut] if better is None else [cut, better]
    for each in cuts:
        told = {
            "cell": int(needs.cell[r]),
            "side": int(needs.side[r]),
            "denominator": each.source.denominator,
            "multipliers": dict(zip(map(str, rows[0][0].tolist()), rows[0][1].tolist())),
            "below": dict(zip(map(str, rows[1][0].tolist()), rows[1][1].tolist())),
            "cover": each.source.cover.tolist(),
            **({"divisor": each.source.divisor} if each.source.divisor else {}),
        }
        rebuilt = Rows(problem, {"cuts": [told], "bridges": []}, ()).cuts[0]
        assert rebuilt is not None
        assert {i: v for i, v in rebuilt.items() if v} == {
            i: v
            for i, v in zip(
                each.cell.tolist(), [type(next(iter(rebuilt.values())))(int(c), each.right) for c in each.coefficient]
            )
            if v
        }
    for chosen in itertools.product((False, True), repeat=free.size):
        hidden = model.forced.copy()
        hidden[free] = chosen
        left = [float(each.scaled @ hidden[each.cell]) for each in cuts]
        if min(left) < 1 - 1e-9:
            assert not protects(problem, hidden)
