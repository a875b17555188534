from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from oracles.classes import class_loss, joint_domain, set_cost

from discreet.generalization import domain as domains
from discreet.generalization.boxes import block_of, forget, scratch
from discreet.generalization.classes.costs import added_costs, class_cost, class_costs
from discreet.generalization.domain import Codes, Floats, Tables


@njit
def _measure(t: Tables, codes: Codes, m: int) -> tuple[Floats, Floats]:
    """What every record adds to the first m, and the cost of the first m without each of them and without none."""
    s = scratch(t.start[-1])
    block = block_of(t, s, codes)
    added, without = np.empty(codes.shape[0]), np.empty(m + 1)
    added_costs(t, s, block, codes[:m], m, added)
    for skip in range(m + 1):
        without[skip] = class_cost(t, s, codes, m, skip)
    forget(s, block)
    return added, without


@settings(max_examples=80, deadline=None)
@given(n=st.integers(4, 12), m=st.integers(1, 4), seed=st.integers(0, 10**6), gaps=st.booleans(), keys=st.booleans())
def test_costs_and_what_a_record_adds_follow_the_definition(n: int, m: int, seed: int, gaps: bool, keys: bool) -> None:
    domain = joint_domain(n, seed, gaps=gaps, keys=keys)
    added, without = _measure(domain.tables, domain.codes, m)
    before = set_cost(domain, range(m))
    assert without[m] == pytest.approx(before, abs=1e-9)
    for j in range(n):
        assert added[j] == pytest.approx(set_cost(domain, [*range(m), j]) - before, abs=1e-9)
    for skip in range(m):
        left = [r for r in range(m) if r != skip]
        assert without[skip] == pytest.approx(set_cost(domain, left) if left else 0.0, abs=1e-9)


def test_one_class_of_everybody_loses_the_whole_variance() -> None:
    domain = domains.domain([domains.mean("x", np.random.default_rng(1).lognormal(0, 2, 200))])
    one = class_costs(domain.tables, domain.codes, np.arange(200), np.array([0, 200]))
    assert one == pytest.approx([1.0])


def test_a_gap_among_numbers_counts_as_a_record_lost() -> None:
    domain = domains.domain([domains.mean("x", [3.0, 3.0, 3.0, np.nan, np.nan, np.nan])])
    assert class_loss(domain, np.array([0, 0, 0, 1, 1, 1])) == 0
    order, starts = np.arange(6), np.array([0, 4, 6])
    each = class_costs(domain.tables, domain.codes, order, starts)
    assert each == pytest.approx([0.25, 0.0])
