"""The relaxation over listed groups: its bound holds for any multipliers."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import listed_groups, optimum

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.exact.listed_lp import ListedLP, program_of
from discreet.microaggregation.groups import Groups


def test_the_bound_of_any_multipliers_holds_for_what_is_allowed() -> None:
    for seed in range(30):
        random = np.random.default_rng([seed, 2])
        n, k = 8, int(random.integers(2, 5))
        points = random.standard_normal((n, 2))
        groups = Groups(*listed_groups(points, k))
        best = optimum(points, k)
        cuts = (Cut((0, 1, 2), (1, 1, 1), 2), Cut((1, 3, 4, 5), (2, 1, 1, 1), 3))
        # Some groups at first; the others enter.
        first = np.sort(random.choice(len(groups.sizes), 10, replace=False)).astype(np.int32)
        lp = ListedLP(program_of(groups, cuts, first), n, 10.0 * best)
        solution = lp.solve(np.inf)
        assert solution.bound == pytest.approx(solution.value, rel=1e-6)
        assert solution.value == pytest.approx(ListedLP(program_of(groups, cuts), n, 10.0 * best).solve(np.inf).value)
        for _ in range(5):
            duals = np.concatenate([random.uniform(0, 1, n), -random.uniform(0, 0.5, 2)])
            assert lp.bound(duals)[0] <= best + 1e-9
        # Two records apart or together: the lesser of both sides' optima is the optimum.
        sides = [lp.side(lp.everything(), (0, 1), together) for together in (True, False)]
        values = []
        for allowed in sides:
            lp.allow(allowed)
            solution = lp.solve(np.inf)
            values.append(solution.bound)
            # The same program without what is not allowed, from the basis on and from scratch.
            for basis in (lp.lp.basis(), None):
                again = ListedLP(lp.part(allowed, basis)[0], n, 10.0 * best).solve(np.inf)
                assert again.value == pytest.approx(solution.value)
        assert min(values) <= best + 1e-9
        held = [(groups.members == v).any(axis=1) for v in (0, 1)]
        assert np.array_equal(sides[0], held[0] == held[1])
        assert np.array_equal(sides[1], ~(held[0] & held[1]))
