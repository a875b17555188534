from __future__ import annotations

import numpy as np
import pytest
from drawn import cases, scattered
from hypothesis import given
from oracles import microaggregation as oracle
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.gsms import group_selection
from discreet.microaggregation.constructions.neighborhoods import neighborhoods
from discreet.microaggregation.problem import standardize


@given(cases)
def test_gsms(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    assert oracle.as_groups(group_selection(points, neighborhoods(points, k))) == oracle.frozen(
        oracle.group_selection(points, k)
    )


def test_second_phase_helps_gsms_on_tarragona() -> None:
    """A regression figure of ours: the paper's own tables were not at hand to compare with."""
    points = standardize(np.loadtxt(reference("tarragona.csv"), delimiter=",", skiprows=1))
    plain = solve(points, 3, method="gsms").information_loss
    assert plain == pytest.approx(16.61, abs=0.005)
    assert solve(points, 3, method="gsms-t2").information_loss < plain
